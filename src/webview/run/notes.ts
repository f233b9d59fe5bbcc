import type { PromptPresentation } from '../../protocol/run.ts';
import { el } from '../common/dom.ts';
import { icon } from '../common/icons.ts';
import { t } from '../common/language.ts';

const note = (name: string, text: string): HTMLElement =>
  el('p', `note ${name}`, {}, [icon(name), el('span', 'note-text', { dir: 'auto' }, [text])]);

/** Lines below the head: where requests go, and what of the prompt does not count. */
export class Notes {
  readonly element = el('div', 'notes');

  show({
    ignored,
    sentTo,
    isEditorModel = false,
  }: Pick<PromptPresentation, 'ignored' | 'sentTo' | 'isEditorModel'>): void {
    this.element.replaceChildren(
      ...(isEditorModel
        ? [
            note(
              'info',
              t(
                'This model is provided by VS Code. System messages are sent as user messages, and the model may ignore parameters.',
              ),
            ),
          ]
        : []),
      ...(sentTo === undefined
        ? []
        : [note('cloud', t('Requests go to {0}, an address set in the workspace.', sentTo))]),
      ...(ignored === undefined
        ? []
        : [
            note(
              'warning',
              t("Ignored parameters: {0}. Prompts can't set where requests are sent.", ignored),
            ),
          ]),
    );
  }
}
