/** What `Database.notify` tells workers. Notices may be lost: workers poll as well, slowly. */
export const WORK_CHANNEL = 'prompt_tables_work';
export const CANCEL_CHANNEL = 'prompt_tables_cancel';
