const typingPauseMs = 100;

/**
 * Tells what was typed: from the first key on, since the page goes without a word when it is hidden,
 * and then the latest of it at most once in a while. Answers what tells the rest at once.
 */
export function tellTyping(
  area: HTMLTextAreaElement,
  tell: () => void,
  signal: AbortSignal,
): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isNews = false;
  const flush = (): void => {
    if (!isNews) return;
    isNews = false;
    tell();
  };
  const next = (): void => {
    timer = undefined;
    if (!isNews) return;
    flush();
    timer = setTimeout(next, typingPauseMs);
  };
  area.addEventListener('input', () => {
    isNews = true;
    if (timer !== undefined) return;
    flush();
    timer = setTimeout(next, typingPauseMs);
  });
  area.addEventListener('blur', flush);
  signal.addEventListener('abort', () => clearTimeout(timer));
  return flush;
}
