import { button } from '../common/buttons.ts';
import { explain } from '../common/explain.ts';
import { t } from '../common/language.ts';
import type { Problems } from '../common/problems.ts';

export interface Saving {
  readonly label: string;
  readonly problems: Problems;
  /** Saves, and shows what the extension finds wrong. */
  readonly save: () => Promise<void>;
}

export interface SavingButton {
  readonly element: HTMLButtonElement;
  /** Also saves when the form is submitted, and by Ctrl+Enter anywhere. */
  readonly listen: (form: HTMLFormElement, signal: AbortSignal) => void;
}

/** The button that saves a form, once at a time; a failure stays in view, with another try. */
export function savingButton({ label, problems, save }: Saving): SavingButton {
  const element = button({
    ...{ label, icon: 'check', keys: 'Ctrl+Enter', look: 'primary', run: submit },
  });
  function submit(): void {
    if (element.disabled) return;
    element.disabled = true;
    save()
      .catch((error: unknown) => {
        problems.show('run', { message: explain(error) }, [{ label: t('Try again'), run: submit }]);
      })
      .finally(() => {
        element.disabled = false;
      });
  }
  const listen = (form: HTMLFormElement, signal: AbortSignal): void => {
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      submit();
    });
    document.addEventListener(
      'keydown',
      (event) => {
        if ((event.ctrlKey || event.metaKey) && event.key === 'Enter') {
          event.preventDefault();
          submit();
        }
      },
      { signal },
    );
  };
  return { element, listen };
}
