/** Versions as they were published, to read. */
export const versionScheme = 'prompt-tables-prompt';
/** Prompts to edit; what is saved is a draft until it is published. */
export const draftScheme = 'prompt-tables-draft';
/** The result of a merge while it is being made. */
export const mergeScheme = 'prompt-tables-merge';
export const promptLanguage = 'prompt-tables-prompt';
