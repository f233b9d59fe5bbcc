/** Versions as they were published, to read. */
export const versionScheme = 'prompt-tables-prompt';
/** Prompts to edit; what is saved is a draft until it is published. */
export const draftScheme = 'prompt-tables-draft';
export const promptLanguage = 'prompt-tables-prompt';
