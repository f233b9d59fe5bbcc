import { button } from '../common/buttons.ts';
import { el, setText } from '../common/dom.ts';
import { t } from '../common/language.ts';

/** What a new tool begins as. */
const example = {
  type: 'function',
  function: {
    name: 'new_tool',
    description: '',
    parameters: { type: 'object', properties: {}, required: [] },
  },
};

const written = (value: unknown): string => JSON.stringify(value, null, 2);

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // What is wrong with it stands at its field.
    return undefined;
  }
}

const mapped = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};

/** What a tool is called, as far as its text can be read. */
function nameIn(text: string): string | undefined {
  const { function: made, name, type } = mapped(parsed(text));
  const found = mapped(made)['name'] ?? name ?? type;
  return typeof found === 'string' && found !== '' ? found : undefined;
}

/** Where the text isn't JSON, in words of the browser. */
function jsonFault(text: string): string | undefined {
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

interface Item {
  readonly element: HTMLDetailsElement;
  readonly area: HTMLTextAreaElement;
}

/** A list of tools, each with its JSON; together they are one text, as other fields have one. */
export class ToolsField {
  readonly element: HTMLElement;
  readonly #id: string;
  readonly #list = el('div', 'tools');
  readonly #add: HTMLButtonElement;
  #items: readonly Item[] = [];
  #count = 0;
  /** It was given none. */
  #isNone = true;

  constructor(id: string) {
    this.#id = id;
    this.#add = button({
      label: t('Add Tool'),
      icon: 'add',
      run: () => {
        const item = this.#item(written(example));
        this.#show([...this.#items, item]);
        item.element.open = true;
        item.area.focus();
        this.#tell();
      },
    });
    this.element = el(
      'div',
      'tools-field',
      { id, role: 'group', 'aria-labelledby': `${id}-name` },
      [this.#list, el('div', 'buttons', {}, [this.#add])],
    );
  }

  /** Empty: there are none, and there were none. */
  get value(): string {
    const texts = this.#items.map(({ area }) => area.value);
    const tools = texts.map(parsed);
    if (tools.length === 0) return this.#isNone ? '' : '[]';
    if (tools.every((tool) => tool !== undefined)) return written(tools);
    return `[\n${texts.join(',\n')}\n]`;
  }

  set value(text: string) {
    this.#isNone = text.trim() === '';
    const tools = this.#isNone ? [] : parsed(text);
    const texts = Array.isArray(tools) ? tools.map(written) : [text.replace(/^\[\n|\n\]$/g, '')];
    this.#show(texts.map((one) => this.#item(one)));
  }

  setAttribute(name: string, value: string): void {
    // A group is neither right nor wrong: what is below it is, and says so.
    if (name !== 'aria-invalid') this.element.setAttribute(name, value);
  }

  /** The first that is no JSON, else the first, unless the keys are here. */
  focus(): void {
    if (this.element.contains(document.activeElement)) return;
    const wrong = this.#items.find(({ area }) => jsonFault(area.value) !== undefined);
    const item = wrong ?? this.#items[0];
    if (item === undefined) {
      this.#add.focus();
      return;
    }
    item.element.open = true;
    item.area.focus();
  }

  #show(items: readonly Item[]): void {
    this.#items = items;
    this.#list.replaceChildren(
      ...(items.length === 0 ? [el('p', 'dim', {}, [t('No tools')])] : []),
      ...items.map(({ element }) => element),
    );
  }

  /** As a field of a form that was changed. */
  #tell(): void {
    for (const type of ['input', 'change']) {
      this.element.dispatchEvent(new Event(type, { bubbles: true }));
    }
  }

  #item(text: string): Item {
    const id = `${this.#id}-tool-${(this.#count += 1)}`;
    const name = el('span', 'summary-name', { dir: 'auto' });
    const area = el('textarea', 'area', {
      ...{ id, rows: '8', spellcheck: 'false', autocomplete: 'off' },
      'aria-describedby': `${id}-fault`,
    });
    const fault = el('p', 'fault', { id: `${id}-fault` });
    const show = (): void => {
      const called = nameIn(area.value) ?? t('Tool');
      setText(name, called);
      area.setAttribute('aria-label', t('JSON of {0}', called));
      remove.title = t('Remove {0}', called);
      remove.setAttribute('aria-label', remove.title);
      const wrong = jsonFault(area.value);
      setText(fault, wrong === undefined ? '' : t("This isn't JSON: {0}", wrong));
      fault.hidden = wrong === undefined;
      area.setAttribute('aria-invalid', String(wrong !== undefined));
    };
    const remove = button({
      label: t('Remove'),
      icon: 'trash',
      isIconOnly: true,
      run: () => {
        this.#show(this.#items.filter((one) => one.element !== element));
        this.#add.focus();
        this.#tell();
      },
    });
    const element = el('details', 'tool', {}, [
      el('summary', '', {}, [name]),
      el('div', 'tool-body', {}, [area, fault, el('div', 'buttons', {}, [remove])]),
    ]);
    area.value = text;
    area.addEventListener('input', show);
    show();
    return { element, area };
  }
}
