/** Work that has stopped the service so often is set aside, not begun again. */
export const MOST_ATTEMPTS = 3;

/** Counted before the work begins, so that it is right however the process ends. */
export const isSetAside = ({ attempts }: { readonly attempts: number }): boolean =>
  attempts > MOST_ATTEMPTS;

export const setAsideText = (advice: string): string =>
  `It stopped the service ${String(MOST_ATTEMPTS)} times. ${advice}`;
