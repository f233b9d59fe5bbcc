import type { SchemaVerdict } from '../../protocol/run.ts';
import { visible } from '../../protocol/visible.ts';
import { el } from '../common/dom.ts';
import { icon } from '../common/icons.ts';
import { t } from '../common/language.ts';

export function schemaText({ kind, text = '' }: SchemaVerdict): string {
  switch (kind) {
    case 'fits':
      return t('The answer matches the schema.');
    case 'differs':
      return t("The answer doesn't match the schema: {0}", visible(text));
    case 'notJson':
      return t("The answer doesn't match the schema, because it isn't JSON: {0}", visible(text));
    case 'incomplete':
      return t("The answer isn't complete, so it wasn't checked against the schema.");
    case 'unusable':
      return t("The answer wasn't checked, because the schema can't be used: {0}", visible(text));
  }
}

const icons: Readonly<Record<SchemaVerdict['kind'], string>> = {
  fits: 'pass',
  differs: 'error',
  notJson: 'error',
  incomplete: 'warning',
  unusable: 'warning',
};

/** Below an answer: whether it fits what the prompt demands. */
export class SchemaLine {
  readonly element = el('p', 'schema-line');

  constructor() {
    this.element.hidden = true;
  }

  show(verdict: SchemaVerdict | undefined): void {
    this.element.hidden = verdict === undefined;
    if (verdict === undefined) {
      this.element.replaceChildren();
      return;
    }
    this.element.className = `schema-line ${verdict.kind}`;
    const text = el('span', 'note-text', { dir: 'auto' }, [schemaText(verdict)]);
    this.element.replaceChildren(icon(icons[verdict.kind]), text);
  }
}
