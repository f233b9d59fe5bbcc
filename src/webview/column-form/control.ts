import type { FieldValue } from '../../protocol/column-form.ts';
import { el } from '../common/dom.ts';
import { t } from '../common/language.ts';

/** What a field is filled in with. */
export interface Control {
  readonly element: HTMLElement;
  /** What has the label, where that is not the whole element. */
  readonly input?: HTMLElement;
  readonly read: () => FieldValue | undefined;
  readonly focus: () => void;
  /** Another field that it hangs on has changed. */
  readonly refresh?: () => void;
}

export function select(
  id: string,
  options: readonly string[],
  value: string,
  isNeeded: boolean,
): HTMLSelectElement {
  const element = el('select', 'select', id === '' ? {} : { id });
  const known = options.includes(value) || value === '' ? options : [value, ...options];
  if (!isNeeded || value === '') element.append(el('option', '', { value: '' }, [t('Select…')]));
  for (const option of known) element.append(el('option', '', { value: option }, [option]));
  element.value = value;
  return element;
}
