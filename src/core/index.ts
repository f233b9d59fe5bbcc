/** The client SDK: tables, templates, logged requests and tracking of a workspace. */
export { Client } from './client.ts';
export { defaultBaseURL } from './options.ts';
export type {
  ClientOptions,
  Environment,
  LookUp,
  ProxyOptions,
  WorkspaceAddress,
} from './options.ts';
export {
  AuthenticationError,
  CancelledError,
  ConfigurationError,
  ConflictError,
  InvalidCursorError,
  NetworkError,
  NotFoundError,
  NotLoggedError,
  PromptTablesError,
  RateLimitError,
  ResponseFormatError,
  ServerError,
  TemplateError,
  TimeoutError,
  ValidationError,
  WorkflowError,
  describeError,
  hasErrorCode,
  isCancellation,
  isPromptTablesError,
} from './errors.ts';
export type { ErrorCode } from './errors.ts';
export type { ErrorAdvice, ErrorReason } from './errors/reason.ts';
export type { ErrorDetail } from '../api/error-body.ts';
export { silentLogger } from './logger.ts';
export type { Logger } from './logger.ts';
export type { CallOptions } from './http/call.ts';
export type { FileContent, StreamedBytes } from './http/streamed-body.ts';
export type { CachedState, CachedTemplate } from './templates/cache.ts';
export { Conversation } from './run/conversation/conversation.ts';
export type {
  ConversationOptions,
  ConversationState,
  OpenedPrompt,
  TurnOptions,
  TurnStream,
} from './run/conversation/conversation.ts';
export { toolCallsOf } from './run/conversation/turns.ts';
export type {
  ConversationTurn,
  ToolResult,
  TurnInput,
  TurnToolCall,
} from './run/conversation/turns.ts';
export type { AnswerStore } from './run/answer-store.ts';
export type { RequestDispatcher } from './platform/connections.ts';
export type { Clock } from './http/delay.ts';
export { delay, systemClock } from './http/delay.ts';
export { parseJson, parseJsonAsWritten, stringifyJson } from './http/json.ts';
export { ExactNumber } from '../api/exact-number.ts';
export type { Quiet } from './quiet.ts';
export type { WatchOptions } from './tables/context.ts';
export type { SheetRef } from './tables/ref.ts';
export type { CreatedTable, NewTable, TablePatch, Tables, TablesQuery } from './tables/tables.ts';
export type { FileUpload, SheetFromFile, SheetUpload, SheetsQuery } from './tables/sheets.ts';
export type {
  ColumnPatch,
  ColumnsQuery,
  CreatedColumn,
  DeletedColumn,
  NewColumn,
  UpdatedColumn,
} from './tables/columns.ts';
export type { AddedRows, DeletedRows, RowsQuery, WalkedRowsPage } from './tables/rows.ts';
export type {
  CellPatch,
  CellWrite,
  Recalculation,
  UpdatedCell,
  WrittenCells,
} from './tables/cells.ts';
export type {
  OperationList,
  OperationOptions,
  OperationRequest,
  OperationStart,
  SheetStatusCounts,
  WatchedOperation,
} from './tables/operations.ts';
export type { VersionsQuery } from './tables/versions.ts';
export type { ExportQuery } from './tables/export.ts';
export type { RequestsImport, StartedImport, WatchedImport } from './tables/imports.ts';
export type {
  MigratedScore,
  ScoreConfiguration,
  ScoreHistory,
  ScoreHistoryQuery,
  ScoreStarted,
  ScorecardAnswer,
  ScorecardCalculation,
  ScorecardCancelled,
  ScorecardConfiguration,
  ScorecardPart,
  ScorecardRowQuery,
  ScorecardRowsPage,
  ScorecardRowsQuery,
  ScorecardStarted,
} from './tables/scores.ts';
export type { PageMark } from './tables/paging.ts';
export type { PromptTemplate, PublishedTemplate, Template } from '../api/template.ts';
export type { EitherSpelling } from './spelling.ts';
export type { GetTemplateOptions } from './templates/get.ts';
export type { TemplatesQuery } from './templates/list.ts';
export type { PublishTemplate } from './templates/publish.ts';
export type {
  RawTemplateOptions,
  ReleaseLabel,
  SnippetUsage,
  TemplateLabel,
  TemplatePatch,
} from './templates/templates.ts';
export type { Folder, FolderEntity } from '../api/folder.ts';
export type {
  FolderDeletion,
  FolderEntitiesQuery,
  FolderMove,
  FolderPath,
  Folders,
  NewFolder,
} from './folders/folders.ts';
export type {
  NodeOutput,
  SavedWorkflow,
  Workflow,
  WorkflowLabel,
  WorkflowVersion,
} from '../api/workflow.ts';
export type {
  RunWorkflowCallOptions,
  RunWorkflowOptions,
  WorkflowProgress,
} from './workflows/options.ts';
export type { NodeOutputs } from './workflows/outputs.ts';
export type {
  NewWorkflow,
  RunWorkflow,
  WorkflowChoice,
  WorkflowPatch,
  Workflows,
  WorkflowsQuery,
} from './workflows/workflows.ts';
export type { LogRequestInput } from './requests/log-body.ts';
export type {
  LoggedRequest,
  RequestAnalytics,
  RequestAnalyticsQuery,
  RequestDetail,
  RequestSearch,
  RequestSuggestions,
  RequestsPage,
} from './requests/requests.ts';
export type {
  TrackedGroup,
  TrackedMetadata,
  TrackedPrompt,
  TrackedScore,
} from './tracking/tracking.ts';
export { describeEnding, endingOf, isAnswer } from './providers/ending.ts';
export type { Ending } from './providers/ending.ts';
export type { EndingKind } from './providers/ending-kinds.ts';
export { ProviderError } from './providers/provider-error.ts';
export type { ProviderErrorType } from './providers/provider-error.ts';
export type { RunChunk, RunOptions, RunResult, RunStream } from './run/options.ts';
export type { RunMethod } from './run/run.ts';
