/** What documents of prompts need: a file of its own, loaded with the first of them. */
export { PromptDesk } from './prompts/desk.ts';
export { blueprintIn } from './prompts/source.ts';
