import * as z from 'zod';

/** A time of a request: ISO 8601, or seconds or milliseconds since the epoch. */
export const requestTime = z.union([z.string(), z.number()]);
