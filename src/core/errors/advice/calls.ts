import type { Entries } from '../texts.ts';

/** For those who wrote the call: programs and models. */
export const callAdvice = {
  argument: { program: '{words}' },
  'leave-one-out': {
    program: 'Leave one of them out: the dispatcher decides how requests travel.',
  },
  'use-base-url': { program: 'Leave it out, and give baseURL.' },
  'call-again': { program: '{words}' },
  'no-such-thing': { program: 'There is no {thing} at all.' },
  available: { program: 'Available: {known}.' },
} as const satisfies Entries;
