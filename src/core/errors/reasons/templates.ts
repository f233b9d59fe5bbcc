import type { Entries } from '../texts.ts';

/** What keeps a prompt from being filled in or run. */
export const templateReasons = {
  'placeholder-variable': {
    sdk: 'The input variable "{name}" fills a placeholder: give a list of messages, each with a role and a content.',
  },
  'tools-variable': {
    sdk: 'The input variable "{name}" holds tools: give a list of { name, description, parameters }.',
  },
  'media-variable': {
    sdk: 'The input variable "{name}" holds media: give a list of URLs or of base64 strings.',
  },
  'not-as-jinja': {
    sdk: 'This text can\'t be rendered here just as Jinja2 does ({construct}). Use simpler Jinja in it: "{text}".',
  },
  'not-as-python': {
    sdk: 'This text can\'t be rendered here just as Python does ({construct}). Use fewer or shorter variables in it: "{text}".',
  },
  'no-model-arguments': { text: 'The template "{name}" has no arguments for a model.' },
  'no-metadata': { text: 'The template "{name}" has no metadata.' },
  'no-model': { text: 'The template "{name}" has no model.' },
  'no-provider': { text: 'The template "{name}" names no provider.' },
  'not-a-snippet': { text: '"{name}" isn\'t a snippet: only a completion can be one.' },
  'registry-tool': { text: '"{name}" uses a tool of the tool registry.' },
} as const satisfies Entries;
