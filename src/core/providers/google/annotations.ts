import type { Mapping } from '../../mapping.ts';
import { isMapping } from '../../mapping.ts';

const listOf = (value: unknown): readonly Mapping[] =>
  Array.isArray(value) ? value.filter(isMapping) : [];

const mappingOf = (value: unknown): Mapping => (isMapping(value) ? value : {});

/** Where something was found -> an annotation without its place in the text. */
function sourceOf({ web, maps, retrievedContext }: Mapping): Mapping {
  if (isMapping(maps)) {
    return {
      type: 'map_citation',
      url: maps['uri'],
      title: maps['title'],
      place_id: maps['placeId'],
    };
  }
  if (isMapping(retrievedContext)) {
    const { uri, documentName, title } = retrievedContext;
    return { type: 'file_citation', file_id: documentName ?? uri, filename: title };
  }
  const { uri, title } = mappingOf(web);
  return { type: 'url_citation', url: uri, title };
}

/** Annotations by the index of the part that they belong to, where Google names it. */
export type Annotations = ReadonlyMap<number | undefined, readonly Mapping[]>;

/** What a candidate's metadata says about its sources. Places are as Google counts them, in bytes. */
export function annotationsOf(candidate: Mapping): Annotations {
  const found = new Map<number | undefined, Mapping[]>();
  const put = (part: unknown, annotation: Mapping): void => {
    const index = typeof part === 'number' ? part : undefined;
    const list = found.get(index) ?? [];
    list.push(Object.freeze(annotation));
    found.set(index, list);
  };
  const { groundingChunks, groundingSupports } = mappingOf(candidate['groundingMetadata']);
  const chunks = listOf(groundingChunks);
  for (const { segment, groundingChunkIndices } of listOf(groundingSupports)) {
    const { startIndex: start_index = 0, endIndex, text, partIndex } = mappingOf(segment);
    const indices: readonly unknown[] = Array.isArray(groundingChunkIndices)
      ? groundingChunkIndices
      : [];
    for (const index of indices) {
      const chunk = typeof index === 'number' ? chunks[index] : undefined;
      if (chunk === undefined) continue;
      put(partIndex, { ...sourceOf(chunk), start_index, end_index: endIndex, cited_text: text });
    }
  }
  const { citations, citationSources } = mappingOf(candidate['citationMetadata']);
  for (const { uri, title, startIndex: start_index = 0, endIndex } of [
    ...listOf(citations),
    ...listOf(citationSources),
  ]) {
    put(undefined, { type: 'url_citation', url: uri, title, start_index, end_index: endIndex });
  }
  return found;
}
