import * as vscode from 'vscode';
import type { ModelParameters } from '../../core/kwargs/model-parameters.ts';
import { modelParametersOf } from '../../core/kwargs/model-parameters.ts';
import { stringifyJson } from '../../core/http/json.ts';
import type { Mapping } from '../../core/mapping.ts';
import { answerFormatOf, functionToolsOf } from '../../core/providers/template-parts.ts';
import { shortened } from '../../core/shortened.ts';
import type {
  ParametersPresentation,
  ParameterText,
  PromptPresentation,
  RunPageState,
} from '../../protocol/run.ts';
import type { ModelChange } from '../shell/choice-schema.ts';
import type { ReadParameters } from './parameters.ts';
import { parametersPresentation, readParameters } from './parameters.ts';
import type { ChangedTools } from './tool-parameters.ts';
import { choiceName, readToolParameters, toolFields, toolsName } from './tool-parameters.ts';

const longestValue = 80;

const short = (value: unknown): string =>
  value === undefined
    ? vscode.l10n.t('not set')
    : shortened(typeof value === 'string' ? value : stringifyJson(value), longestValue);

const toolLines = ({ tools, toolChoice }: ChangedTools): readonly string[] => [
  ...(tools === undefined ? [] : [`${toolsName}: ${short(tools.map(toolName))}`]),
  ...(toolChoice === undefined ? [] : [`${choiceName}: ${short(toolChoice)}`]),
];

const toolName = (tool: unknown): unknown =>
  functionToolsOf({ type: 'chat', tools: [tool] })[0]?.name ?? tool;

const isOfTools = ({ name }: ParameterText): boolean => name === toolsName || name === choiceName;

/** A prompt as far as its form is made of it. */
interface Prompt {
  readonly prompt_template: Readonly<Record<string, unknown>> & { readonly type: string };
  readonly metadata?: Mapping | null | undefined;
}

export interface ReadForm extends ReadParameters {
  readonly tools: ChangedTools;
}

/** What the model of a panel takes, as far as it is loaded. */
export class PanelParameters {
  #known: ModelParameters | undefined;
  #prompt: Prompt['prompt_template'] | undefined;
  #shown: ParametersPresentation | undefined;
  /** The prompt's own, which a run with another model keeps. */
  #format: unknown;

  /** The form of it; undefined: there is no model. */
  present(
    { model, unpublished }: RunPageState,
    { isEditorModel }: PromptPresentation,
    { metadata = null, prompt_template: prompt }: Prompt,
  ): ParametersPresentation | undefined {
    const own = modelParametersOf(metadata);
    this.#prompt = prompt;
    this.#format = own?.parameters.find(({ fact }) => fact.name === 'response_format')?.own;
    this.#known =
      model === undefined
        ? own
        : modelParametersOf(metadata, { provider: model.provider, model: model.name });
    const isOtherModel =
      model !== undefined && (own?.provider !== model.provider || own.model !== model.name);
    // A model of VS Code is nothing that others who run the prompt have; what was logged stays so.
    const canSave = isEditorModel !== true && unpublished?.kind !== 'kept';
    const savesTo = unpublished?.kind === 'document' ? 'document' : 'version';
    this.#shown = this.#known && {
      ...parametersPresentation(this.#known, { isOtherModel, ...(canSave && { savesTo }) }),
    };
    if (this.#shown === undefined || this.#known === undefined) return undefined;
    const { provider, model: name } = this.#known;
    const { fields } = this.#shown;
    this.#shown = {
      ...this.#shown,
      fields: [...fields, ...toolFields(prompt, { provider, name })],
    };
    return this.#shown;
  }

  /** What was entered, checked: nothing of it may be sent while there are faults. */
  async read(texts: readonly ParameterText[]): Promise<ReadForm> {
    const read = this.#readModel(texts);
    const entered = texts.filter((one) => isOfTools(one) && one.text.trim() !== '');
    const known = this.#known;
    if (entered.length === 0 || known === undefined || this.#prompt === undefined) {
      return { ...read, tools: {} };
    }
    // What checks schemas is large, and needed for tools that were entered only.
    const { checkAnswer } = await import('./answer-schema.ts');
    const model = { provider: known.provider, name: known.model };
    const given = { prompt: this.#prompt, model };
    const { changed, faults } = readToolParameters(given, entered, vscode.l10n.t, checkAnswer);
    return { ...read, tools: changed, faults: [...read.faults, ...faults] };
  }

  #readModel(texts: readonly ParameterText[]): ReadParameters {
    return readParameters(
      this.#known,
      texts.filter((one) => !isOfTools(one)),
      vscode.l10n.t,
    );
  }

  /** The schema that the answer of a run has to fit, with its variables; undefined: there is none. */
  answerSchema(texts: readonly ParameterText[]): unknown {
    const { changed } = this.#readModel(texts);
    const entered = this.#known?.parameters.find(({ fact }) => fact.name === 'response_format');
    const format = (entered && changed[entered.name]) ?? this.#format;
    return answerFormatOf({ parameters: { response_format: format } })?.schema;
  }

  /** What is to be saved; undefined: nothing differs from the prompt. */
  async changeOf(texts: readonly ParameterText[]): Promise<ModelChange | undefined> {
    const known = this.#known;
    if (known === undefined) return undefined;
    const { changed: parameters, tools } = await this.read(texts);
    const isOtherModel = this.#shown?.isOtherModel === true;
    const lines = [...this.#changedLines(parameters), ...toolLines(tools)];
    if (lines.length === 0 && !isOtherModel) return undefined;
    const { provider, model: name } = known;
    const model = vscode.l10n.t('model: {0}', `${provider}/${name}`);
    return {
      parameters,
      summary: [...(isOtherModel ? [model] : []), ...lines].join('\n'),
      ...(isOtherModel && { model: { provider, name } }),
      ...tools,
    };
  }

  #changedLines(parameters: Mapping): readonly string[] {
    return Object.entries(parameters).map(([parameter, value]) => {
      const own = this.#known?.parameters.find((one) => one.name === parameter)?.own;
      return `${parameter}: ${short(own)} → ${short(value)}`;
    });
  }
}
