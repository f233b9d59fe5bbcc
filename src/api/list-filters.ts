import * as z from 'zod';

/** What a thing is called in other systems. */
export const ExternalIds = z.array(z.looseObject({ source: z.string(), external_id: z.string() }));

/** Query parameters that narrow and sort the lists of the registry. Times are ISO 8601. */
export const listFilters = {
  created_by_email: z.string().optional(),
  created_after: z.string().optional(),
  created_before: z.string().optional(),
  updated_after: z.string().optional(),
  updated_before: z.string().optional(),
  external_source: z.string().optional(),
  external_id: z.string().optional(),
  sort_by: z.enum(['created_at', 'updated_at', 'name', 'id']).optional(),
  sort_order: z.enum(['asc', 'desc']).default('desc'),
} as const;
