/** What the extension and the panel that runs a prompt say to each other. */
import type { ChatDraft, ChatProgress, ChatTurn, ChatView } from './chat.ts';

export type PromptChoice =
  | { readonly kind: 'latest' }
  | { readonly kind: 'version'; readonly version: number }
  | { readonly kind: 'label'; readonly label: string };

/** `json`: the text is JSON and its value is what the prompt is given. */
export const variableKinds = ['text', 'json'] as const;
/** `list`: one text a line. `media`: one URL or file a line. Unless the text is JSON. */
export const variableForms = ['list', 'media'] as const;
export interface RunVariable {
  readonly name: string;
  readonly kind: (typeof variableKinds)[number];
  readonly text: string;
  /** What the prompt takes in its place, when that is no text. */
  readonly as?: (typeof variableForms)[number];
  /** What a workflow says that it takes, for the user to read. */
  readonly type?: string;
}

/** A model by its provider's name and its own. */
export interface ModelName {
  readonly provider: string;
  readonly name: string;
}

/** `tools`: a JSON list, one tool after the other. */
export const parameterKinds = ['number', 'whole', 'word', 'flag', 'json', 'tools'] as const;
/** A parameter of a model, as the form asks for it. */
export interface ParameterField {
  readonly name: string;
  readonly kind: (typeof parameterKinds)[number];
  /** What the prompt has; empty: nothing, and the provider decides. */
  readonly own: string;
  readonly min?: number;
  readonly max?: number;
  /** Some of the words that are known. */
  readonly words?: readonly string[];
}

/** What was entered for a parameter. */
export interface ParameterText {
  readonly name: string;
  readonly text: string;
}

/** What is wrong with it. */
export interface ParameterFault {
  readonly name: string;
  readonly message: string;
}

export const parameterTargets = ['version', 'document'] as const;
export interface ParametersPresentation {
  readonly provider: string;
  readonly model: string;
  /** Another one than the prompt names, whose parameters are not used then. */
  readonly isOtherModel: boolean;
  readonly fields: readonly ParameterField[];
  /** JSON of those that the prompt has, and that nothing is known of. */
  readonly others?: string;
  /** Where changes can be saved: a new version, or the draft or file that runs. */
  readonly savesTo?: (typeof parameterTargets)[number];
}

/** The prompt as the panel's head and form show it. */
export interface PromptPresentation {
  readonly name: string;
  /** Which version was asked for, in words. */
  readonly choice: string;
  readonly version?: number;
  readonly model?: string;
  /** The model is one of VS Code's own, in the place of the one that the prompt names. */
  readonly isEditorModel?: boolean;
  readonly connection: { readonly name: string; readonly local: boolean };
  /** The service could not be reached: what is shown is the copy in memory. */
  readonly isCached?: boolean;
  /** Names of parameters that are left out, in words: they would say where requests are sent. */
  readonly ignored?: string;
  /** Origin of the address that the workspace has set in the place of the provider's own. */
  readonly sentTo?: string;
  /** Absent: there is no model. */
  readonly parameters?: ParametersPresentation;
  readonly variables: readonly RunVariable[];
}

export interface RunProblem {
  readonly message: string;
  readonly hint?: string;
  /** The environment variable of a provider whose key is missing. */
  readonly variable?: string;
}

export const outputKinds = ['text', 'thinking', 'tool', 'image', 'json'] as const;
export type OutputKind = (typeof outputKinds)[number];

/** A part of the answer. `text` of an image is its data URL, or its address on the web. */
export interface OutputPart {
  readonly id: string;
  readonly kind: OutputKind;
  readonly title?: string;
  readonly text: string;
}

/** What is new of a part since the last message; `replace`: it is the whole text. */
export interface OutputChange extends OutputPart {
  readonly replace: boolean;
}

/** `interrupted`: the window was closed or reloaded in the middle of it. */
export const runStates = ['idle', 'running', 'done', 'stopped', 'failed', 'interrupted'] as const;
export type RunState = (typeof runStates)[number];

export const endingKinds = ['length', 'filtered', 'refused', 'empty', 'other'] as const;
/** An answer that came, and is not whole. `reason`: the word of the provider. */
export interface RunEnding {
  readonly kind: (typeof endingKinds)[number];
  readonly reason: string;
}

/** `incomplete`: what was cut off is not held against the schema. `unusable`: it can't be checked. */
export const schemaVerdictKinds = ['fits', 'differs', 'notJson', 'incomplete', 'unusable'] as const;
/** Whether an answer fits the schema that the prompt demands. `text`: what is wrong, and where. */
export interface SchemaVerdict {
  readonly kind: (typeof schemaVerdictKinds)[number];
  readonly text?: string;
}

/** Times in milliseconds from the moment the run was asked for. */
export interface RunStatus {
  readonly runId: number;
  readonly state: RunState;
  readonly elapsedMs: number;
  readonly firstTokenMs?: number;
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  /** Of a model of VS Code: tokens are estimated, and what they cost is part of a plan. */
  readonly isEstimated?: boolean;
  readonly requestId?: number;
  /** US dollars; null: the service was asked and does not know. */
  readonly priceUsd?: number | null;
  readonly problem?: RunProblem;
  /** Absent: the answer is whole, as far as its provider says. */
  readonly ending?: RunEnding;
  /** Absent: the prompt demands no schema, or there is no text to hold against it. */
  readonly schema?: SchemaVerdict;
  /** It was answered then (milliseconds since the epoch) and kept; now nobody was asked. */
  readonly cachedAt?: number;
}

export interface RunProgress {
  readonly status: RunStatus;
  readonly changes: readonly OutputChange[];
}

export interface RunSnapshot {
  readonly status: RunStatus;
  readonly parts: readonly OutputPart[];
}

/** A prompt that runs as it stands here, not as it was published. */
export type UnpublishedSource =
  /** In a document or file: what that says when Run is pressed. */
  | { readonly kind: 'document'; readonly uri: string }
  /** Kept with the panel: of a run that is over, or of a request in the log. */
  | { readonly kind: 'kept' };

/** What the page keeps in its own state, for the extension to find it again. */
export interface RunPageState {
  readonly panelId: string;
  readonly connectionId: string;
  readonly promptName: string;
  readonly choice: PromptChoice;
  /** In the place of the model that the prompt names. */
  readonly model?: ModelName;
  /** Entered in the place of the prompt's own. */
  readonly parameters?: readonly ParameterText[];
  /** Where the prompt stands that runs instead of a published version. */
  readonly unpublished?: UnpublishedSource;
}

/** What the answer is compared with, beside it. */
export interface ComparisonRun {
  readonly kind: 'last' | 'model';
  /** In words: the run before, or the model. */
  readonly title: string;
  readonly run: RunSnapshot;
}

export interface RunPanelView {
  readonly page: RunPageState;
  /** Null while it is being loaded, or when it could not be. */
  readonly presentation: PromptPresentation | null;
  readonly problem: RunProblem | null;
  readonly run: RunSnapshot;
  readonly comparisonRun: ComparisonRun | null;
  /** Whether answers were laid out as Markdown where that was last chosen. */
  readonly isMarkdown: boolean;
  /** Whether answers that are kept are used unless somebody chooses otherwise. */
  readonly usesCache: boolean;
  readonly chat: ChatView;
}

/** Values for the form, and where they come from, in words. */
export interface Filling {
  readonly variables: readonly RunVariable[];
  readonly source: string;
}

export interface ParameterVerdict {
  readonly faults: readonly ParameterFault[];
}

type Request<Params, Result> = { readonly params: Params; readonly result: Result };

/** What the panel asks of the extension. */
export type HostRequests = {
  /** First message of a page. */
  readonly ready: Request<null, RunPanelView>;
  /** Ends the run that is going on, if one is, and begins another; nothing while there are faults. */
  readonly run: Request<
    {
      readonly variables: readonly RunVariable[];
      readonly parameters: readonly ParameterText[];
      /** The answer of the same request, if one is kept. */
      readonly usesCache: boolean;
    },
    ParameterVerdict
  >;
  readonly stop: Request<null, null>;
  readonly copyOutput: Request<null, null>;
  readonly copyAsCode: Request<null, null>;
  readonly openOutput: Request<null, null>;
  readonly showRaw: Request<null, null>;
  /** Another version or label of the same prompt. */
  readonly choose: Request<null, null>;
  readonly reloadPrompt: Request<null, null>;
  readonly setKey: Request<{ readonly variable: string }, { readonly isSet: boolean }>;
  /** Asks where values are to come from: a sheet, a file, a selection, a set that was kept. */
  readonly fill: Request<{ readonly variables: readonly RunVariable[] }, Filling>;
  /** Asks for files; answers lines for a variable that holds media. */
  readonly pickMedia: Request<null, { readonly lines: readonly string[] }>;
  /** Asks what the answer is to be compared with. */
  readonly compare: Request<null, null>;
  /** Asks which model runs the prompt from now on. */
  readonly chooseModel: Request<null, null>;
  /** Back to the model that the prompt names. */
  readonly resetModel: Request<null, null>;
  /** Checks what was entered, and keeps it. */
  readonly checkParameters: Request<
    { readonly parameters: readonly ParameterText[] },
    ParameterVerdict
  >;
  /** Makes it the prompt's own: in a new version, or in the document that runs. */
  readonly saveParameters: Request<
    { readonly parameters: readonly ParameterText[] },
    ParameterVerdict
  >;
  /** Says something in the conversation; nothing while there are faults. */
  readonly chatSay: Request<
    {
      readonly text: string;
      readonly edits: number | null;
      readonly variables: readonly RunVariable[];
      readonly parameters: readonly ParameterText[];
      readonly usesCache: boolean;
    },
    ParameterVerdict
  >;
  /** The result of a call, as it was typed. */
  readonly chatAnswer: Request<
    { readonly turn: number; readonly call: string; readonly text: string },
    null
  >;
  /** Asks who else is to answer a call. */
  readonly chatAnswerWith: Request<{ readonly turn: number; readonly call: string }, null>;
  /** The same turn once more. */
  readonly chatAgain: Request<{ readonly turn: number }, null>;
  /** Goes on from another turn. */
  readonly chatGoTo: Request<{ readonly turn: number }, null>;
  /** Begins another conversation, when the person agrees. */
  readonly chatNew: Request<null, null>;
  /** Asks which tools are answered by hand whatever else was chosen. */
  readonly chatStopBefore: Request<null, null>;
  /** Asks what the conversation is to be saved as. */
  readonly chatSave: Request<null, null>;
  /** Shows the request of a run in the log. */
  readonly showRequest: Request<{ readonly requestId: number }, null>;
  /** An image on the web, fetched by the extension: as a data URL. */
  readonly loadImage: Request<{ readonly id: string }, { readonly source: string }>;
};

export type HostEvents = {
  /** What was typed, to be remembered for this prompt. */
  readonly variables: readonly RunVariable[];
  /** What was entered in the place of the prompt's own parameters, right or wrong. */
  readonly parameters: readonly ParameterText[];
  /** How answers are to be shown, here and in panels to come. */
  readonly markdown: boolean;
  /** What was typed in the conversation. */
  readonly chatDraft: ChatDraft;
  readonly chatResultDraft: {
    readonly turn: number;
    readonly call: string;
    readonly text: string;
  };
};

export const panelCommands = [
  'start',
  'stop',
  'copyOutput',
  'copyAsCode',
  'openOutput',
  'showRaw',
  'compare',
  'chooseModel',
] as const;
export type PanelCommand = (typeof panelCommands)[number];

/** What the extension asks of the panel. */
export type ViewRequests = {
  /** Presses the Run button, which knows what was typed. */
  readonly start: Request<null, null>;
};

export type ViewEvents = {
  readonly prompt: {
    readonly page: RunPageState;
    readonly presentation: PromptPresentation | null;
    readonly problem: RunProblem | null;
  };
  /** A new run: the output of the one before goes. */
  readonly started: RunStatus;
  readonly progress: RunProgress;
  /** The same of what the answer is compared with. */
  readonly comparisonRun: ComparisonRun | null;
  readonly comparisonStarted: RunStatus;
  readonly comparisonProgress: RunProgress;
  /** The whole conversation anew. */
  readonly chat: ChatView;
  /** A turn that is new, or as it is now. */
  readonly chatTurn: ChatTurn;
  readonly chatHead: { readonly head: number };
  readonly chatProgress: ChatProgress;
};
