import zlib from 'node:zlib';
import { decompressLz4, decompressLz4Raw } from 'hyparquet-compressors/src/lz4.js';
import type { ParquetCompressors } from '../../core/imports/parquet.ts';

type Decompress = (input: Uint8Array, outputLength: number) => Uint8Array;

/** A page of nulls holds nothing, which is no stream for some; Node takes no limit of 0. */
const unlessEmpty =
  (decompress: Decompress): Decompress =>
  (input, outputLength) =>
    outputLength === 0 ? new Uint8Array(0) : decompress(input, outputLength);

/** Node's own where it has them; no more comes out than the file says. */
export const compressors: ParquetCompressors = {
  GZIP: unlessEmpty((input, maxOutputLength) => zlib.gunzipSync(input, { maxOutputLength })),
  BROTLI: unlessEmpty((input, maxOutputLength) =>
    zlib.brotliDecompressSync(input, { maxOutputLength }),
  ),
  ZSTD: unlessEmpty((input, maxOutputLength) =>
    zlib.zstdDecompressSync(input, { maxOutputLength }),
  ),
  LZ4: unlessEmpty(decompressLz4),
  LZ4_RAW: unlessEmpty(decompressLz4Raw),
};
