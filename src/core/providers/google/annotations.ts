import type { Mapping } from '../../mapping.ts';
import type { GroundingChunk } from './schema.ts';
import { readSources } from './schema.ts';

/** Where something was found -> an annotation without its place in the text. */
function sourceOf({ web, maps, retrievedContext }: GroundingChunk): Mapping {
  if (maps !== undefined) {
    return { type: 'map_citation', url: maps.uri, title: maps.title, place_id: maps.placeId };
  }
  if (retrievedContext !== undefined) {
    const { uri, documentName, title } = retrievedContext;
    return { type: 'file_citation', file_id: documentName ?? uri, filename: title };
  }
  return { type: 'url_citation', url: web?.uri, title: web?.title };
}

/** Annotations by the index of the part that they belong to, where Google names it. */
export type Annotations = ReadonlyMap<number | undefined, readonly Mapping[]>;

/** What a candidate's metadata says about its sources. Places are as Google counts them, in bytes. */
export function annotationsOf(candidate: Mapping): Annotations {
  const found = new Map<number | undefined, Mapping[]>();
  const put = (index: number | undefined, annotation: Mapping): void => {
    const list = found.get(index) ?? [];
    list.push(Object.freeze(annotation));
    found.set(index, list);
  };
  const sources = readSources(candidate);
  const chunks = sources?.groundingMetadata?.groundingChunks ?? [];
  for (const { segment, groundingChunkIndices = [] } of sources?.groundingMetadata
    ?.groundingSupports ?? []) {
    const { startIndex: start_index = 0, endIndex: end_index, text } = segment ?? {};
    for (const index of groundingChunkIndices) {
      const chunk = typeof index === 'number' ? chunks[index] : undefined;
      if (chunk === undefined) continue;
      put(segment?.partIndex, { ...sourceOf(chunk), start_index, end_index, cited_text: text });
    }
  }
  const { citations = [], citationSources = [] } = sources?.citationMetadata ?? {};
  for (const { uri, title, startIndex: start_index = 0, endIndex } of [
    ...citations,
    ...citationSources,
  ]) {
    put(undefined, { type: 'url_citation', url: uri, title, start_index, end_index: endIndex });
  }
  return found;
}
