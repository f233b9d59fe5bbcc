import type { Mapping } from '../mapping.ts';
import { isMapping } from '../mapping.ts';
import type { Place } from './render-error.ts';
import { RenderError } from './render-error.ts';
import { ownValue } from '../../api/own-value.ts';

/** How the base64 text of a file begins. */
const beginnings: Readonly<Record<string, string>> = {
  '/9j/': 'image/jpeg',
  iVBOR: 'image/png',
  R0lGOD: 'image/gif',
  UklGR: 'image/webp',
  JVBERi: 'application/pdf',
  SUQz: 'audio/mpeg',
};

const endings: Readonly<Record<string, string>> = {
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  png: 'image/png',
  gif: 'image/gif',
  webp: 'image/webp',
  pdf: 'application/pdf',
  mp3: 'audio/mpeg',
  wav: 'audio/wav',
  mp4: 'video/mp4',
};

/** By the ending of a name or URL; an image when that says nothing. */
export const mediaTypeOf = (url: string): string => {
  const ending = /\.([a-z0-9]{3,4})(?:[?#]|$)/i.exec(url)?.[1]?.toLowerCase() ?? '';
  return ownValue(endings, ending) ?? 'image/jpeg';
};

const typeOfData = (data: string): string =>
  Object.entries(beginnings).find(([start]) => data.startsWith(start))?.[1] ?? 'image/jpeg';

function partOf(value: string, title: string): Mapping {
  const isUrl = /^[a-z][a-z0-9+.-]*:/i.test(value);
  const type = value.startsWith('data:')
    ? value.slice('data:'.length, Math.max(value.search(/[;,]/), 'data:'.length)) || 'image/jpeg'
    : isUrl
      ? mediaTypeOf(value)
      : typeOfData(value);
  const url = isUrl ? value : `data:${type};base64,${value}`;
  if (type.startsWith('image/')) return { type: 'image_url', image_url: { url } };
  const isData = url.startsWith('data:');
  return { type: 'media', media: { title, type, url, format: isData ? 'base64' : 'url' } };
}

/** The parts in the place of a media variable: of URLs, data URLs or base64 texts, one or a list. */
export function mediaParts(value: unknown, name: string, place: Place): Mapping[] {
  if (value === undefined || value === null || value === '') return [];
  const list: unknown[] = Array.isArray(value) ? value : [value];
  return list.map((item) => {
    if (typeof item === 'string') return partOf(item, name);
    if (isMapping(item) && typeof item['type'] === 'string') return item;
    throw new RenderError(place, { kind: 'media-variable', name });
  });
}
