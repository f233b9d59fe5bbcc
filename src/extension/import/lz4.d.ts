// The library has no types for its parts; as a whole it would bring decoders that Node has itself.
declare module 'hyparquet-compressors/src/lz4.js' {
  type Decompress = (input: Uint8Array, outputLength: number) => Uint8Array;

  /** In the frames of Hadoop, or without. */
  export const decompressLz4: Decompress;
  export const decompressLz4Raw: Decompress;
}
