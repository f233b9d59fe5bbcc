/** What documents of prompts need: a file of its own, loaded with the first of them. */
export { PromptEditing } from './prompts/prompt-editing.ts';
export { renameIn, variableIn } from './prompts/rename-variable.ts';
export { appendMessagesIn, blueprintIn, changeModelIn, promptNameIn } from './prompts/source.ts';
