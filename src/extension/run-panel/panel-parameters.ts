import * as vscode from 'vscode';
import type { ModelParameters } from '../../core/kwargs/model-parameters.ts';
import { modelParametersOf } from '../../core/kwargs/model-parameters.ts';
import { stringifyJson } from '../../core/http/json.ts';
import type { Mapping } from '../../core/mapping.ts';
import { answerFormatOf } from '../../core/providers/template-parts.ts';
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

const longestValue = 80;

/** What the model of a panel takes, as far as it is loaded. */
export class PanelParameters {
  #known: ModelParameters | undefined;
  #shown: ParametersPresentation | undefined;
  /** The prompt's own, which a run with another model keeps. */
  #format: unknown;

  /** The form of it; undefined: there is no model. */
  present(
    { model, unpublished }: RunPageState,
    { isEditorModel }: PromptPresentation,
    metadata: Mapping | null,
  ): ParametersPresentation | undefined {
    const own = modelParametersOf(metadata);
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
    this.#shown =
      this.#known &&
      parametersPresentation(this.#known, { isOtherModel, ...(canSave && { savesTo }) });
    return this.#shown;
  }

  read(texts: readonly ParameterText[]): ReadParameters {
    return readParameters(this.#known, texts, vscode.l10n.t);
  }

  /** The schema that the answer of a run has to fit, with its variables; undefined: there is none. */
  answerSchema(texts: readonly ParameterText[]): unknown {
    const { changed } = this.read(texts);
    const entered = this.#known?.parameters.find(({ fact }) => fact.name === 'response_format');
    const format = (entered && changed[entered.name]) ?? this.#format;
    return answerFormatOf({ parameters: { response_format: format } })?.schema;
  }

  /** What is to be saved; undefined: nothing differs from the prompt. */
  changeOf(texts: readonly ParameterText[]): ModelChange | undefined {
    const known = this.#known;
    if (known === undefined) return undefined;
    const parameters = this.read(texts).changed;
    const names = Object.keys(parameters);
    const isOtherModel = this.#shown?.isOtherModel === true;
    if (names.length === 0 && !isOtherModel) return undefined;
    const { provider, model: name } = known;
    const short = (value: unknown): string =>
      value === undefined
        ? vscode.l10n.t('not set')
        : shortened(typeof value === 'string' ? value : stringifyJson(value), longestValue);
    const lines = names.map((parameter) => {
      const own = known.parameters.find((one) => one.name === parameter)?.own;
      return `${parameter}: ${short(own)} → ${short(parameters[parameter])}`;
    });
    const model = vscode.l10n.t('model: {0}', `${provider}/${name}`);
    return {
      parameters,
      summary: [...(isOtherModel ? [model] : []), ...lines].join('\n'),
      ...(isOtherModel && { model: { provider, name } }),
    };
  }
}
