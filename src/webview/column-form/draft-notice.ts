import { button } from '../common/buttons.ts';
import { el } from '../common/dom.ts';
import { t } from '../common/language.ts';

/** Above a form that was filled in before it was closed. */
export const draftNotice = (startAfresh: () => void): HTMLElement =>
  el('div', 'banner info', { role: 'status' }, [
    el('span', 'banner-text', {}, [
      t('These are your unsaved changes from before the form was closed.'),
    ]),
    button({ label: t('Start over'), look: 'secondary', run: startAfresh }),
  ]);
