import type { World } from './first-workspace.ts';

/** A request without a path: what stands in it is what is reached for. */
export interface Attempt {
  readonly query?: string;
  readonly body?: object;
}

/**
 * What a call of an operation looks like, by the name of the operation: a body that fits, and in it
 * (or in the query) the ids and names of a workspace. Operations whose path names things of the
 * workspace need one only if an empty body does not fit.
 */
export function attemptsOf(world: World): Readonly<Record<string, readonly Attempt[]>> {
  const { promptName, promptId, requestId, groupId, folderId, executionId, places } = world;
  const execution = `workflow_version_execution_id=${String(executionId)}`;
  const [request_id, group_id] = [requestId, groupId];
  const track = (body: object): Attempt[] => [{ body: { request_id, ...body } }];
  const entities = [
    { id: promptId, type: 'PROMPT' },
    { id: folderId, type: 'FOLDER' },
  ];
  const inFolder = `folder_id=${String(folderId)}`;
  const version = { prompt_template: { type: 'completion', content: [] } };
  const times = {
    request_start_time: '2026-03-01T10:00:00Z',
    request_end_time: '2026-03-01T10:00:01Z',
  };
  const log = {
    provider: 'openai',
    model: 'gpt-4o',
    input: { type: 'completion', content: [] },
    output: { type: 'completion', content: [] },
    ...times,
  };
  const run = {
    function_name: 'openai.chat.completions.create',
    provider_type: 'openai',
    args: [],
    kwargs: { model: 'gpt-4o', messages: [] },
    request_response: {},
    ...times,
  };
  const metadata = track({ metadata: { a: 'b' } });
  const score = track({ score: 5 });
  const prompt = track({ prompt_name: promptName, prompt_input_variables: {} });
  const group = track({ group_id });
  // In a trace of its own: ids of traces are made up by their senders, so two may have one.
  const trace_id = '0af7651916cd43dd8448eb211c80319c';
  const bulkSpan = {
    name: 'another',
    context: { trace_id, span_id: 'another', trace_state: '' },
    kind: 'SpanKind.CLIENT',
    parent_id: 'a7ad6b7169203331',
    start_time: 1_772_359_200_000_000_000,
    end_time: 1_772_359_201_000_000_000,
    status: { status_code: 'StatusCode.OK', description: null },
    attributes: { a: 'b' },
    events: [{ name: 'e' }],
    links: [{ context: { trace_id: places['trace_id'] } }],
    resource: { attributes: { 'service.name': 'x' }, schema_url: '' },
    log_request: { ...log, prompt_id: promptId },
  };
  const otlpSpan = {
    traceId: trace_id,
    parentSpanId: 'a7ad6b7169203331',
    spanId: 'b7ad6b7169203331',
    name: 'another',
    kind: 3,
    startTimeUnixNano: '1772359200000000000',
    endTimeUnixNano: '1772359201000000000',
    attributes: [
      { key: 'gen_ai.request.model', value: { stringValue: 'gpt-4o' } },
      { key: 'a', value: { arrayValue: { values: [{ intValue: '1' }, { boolValue: true }] } } },
      { key: 'gen_ai.input.messages', value: { stringValue: '[{"role":"user","parts":[]}]' } },
    ],
    events: [{ timeUnixNano: '1772359200000000000', name: 'e', attributes: [] }],
    links: [{ traceId: places['trace_id'], spanId: 'b7ad6b7169203332' }],
    status: { code: 2, message: 'x' },
  };
  const resource = { attributes: [{ key: 'service.name', value: { stringValue: 'x' } }] };
  const scope = { name: 's', version: '1' };
  const exported = { resourceSpans: [{ resource, scopeSpans: [{ scope, spans: [otlpSpan] }] }] };
  const node = {
    name: 'n',
    node_type: 'VARIABLE',
    configuration: { value: { type: 'string', value: 'x' } },
    is_output_node: true,
  };
  return {
    list_tables: [
      {},
      { query: `folder_id=${String(folderId)}` },
      { query: `prompt_id=${String(promptId)}` },
    ],
    create_table: [{ body: { folder_id: folderId } }],
    update_table: [{ body: { title: 'taken' } }],
    create_table_sheet: [{ body: {} }],
    update_table_sheet: [{ body: { title: 'taken' } }],
    create_table_sheet_column: [{ body: { title: 'x', type: 'TEXT' } }],
    update_table_sheet_column: [{ body: { title: 'taken' } }],
    create_table_sheet_rows: [{ body: { count: 1 } }],
    delete_table_sheet_rows: [{ body: { row_indices: [0] } }],
    update_table_sheet_cell: [{ body: { value: 'taken' } }],
    write_table_sheet_cells: [
      { body: { cells: [{ column_id: places['column_id'], row_index: 0, value: 'taken' }] } },
    ],
    recalculate_table_sheet_cells: [{ body: { cell_ids: [places['cell_id']] } }],
    create_table_sheet_operation: [{ body: {} }, { body: { column_ids: [places['column_id']] } }],
    create_table_sheet_version: [
      { body: { name: 'taken' } },
      { body: { source_version_id: places['version_id'] } },
    ],
    export_table_sheet: [
      { query: 'format=json' },
      { query: `format=csv&version_id=${places['version_id'] ?? ''}` },
    ],
    import_file_to_table_sheet: [{ body: { file_name: 'a.csv', file_content_base64: 'YQox' } }],
    import_request_logs_to_table_sheet: [{ body: { request_log_ids: [requestId] } }],
    configure_table_sheet_score: [{ body: { column_names: ['A'] } }],
    configure_table_sheet_scorecard: [
      {
        body: {
          name: 'taken',
          aggregation: { pass_threshold: 0.75, warn_threshold: 0.5 },
          evaluated_column_ids: [places['column_id']],
          steps: [{ title: 'taken', primitive_type: 'COUNT', primitive_config: { max: 1 } }],
        },
      },
    ],
    recalculate_table_sheet_scorecard: [{ body: {} }],
    cancel_table_sheet_scorecard: [{}],
    list_table_sheet_scorecard_rows: [
      {},
      { query: `calculation_id=${places['calculation_id'] ?? ''}` },
    ],
    create_folder: [{ body: { name: 'inner', parent_id: folderId } }],
    update_folder: [{ body: { name: 'taken' } }],
    resolve_folder_id: [{ query: `path=${encodeURIComponent(world.folderName)}` }],
    list_folder_entities: [{ query: 'flatten=true' }, { query: inFolder }],
    move_folder_entities: [{ body: { entities, folder_id: null } }],
    delete_folder_entities: [{ body: { entities, cascade: true } }],
    list_prompt_templates: [{}, { query: `name=${encodeURIComponent(promptName)}` }],
    publish_prompt_template: [
      {
        body: {
          prompt_template: { prompt_name: 'another', folder_id: folderId },
          prompt_version: version,
        },
      },
    ],
    patch_prompt_template_version: [{ body: { commit_message: 'taken' } }],
    create_prompt_label: [{ body: { prompt_version_number: 1, name: 'taken' } }],
    move_prompt_label: [{ body: { prompt_version_number: 1 } }],
    log_request: [
      { body: { ...log, prompt_id: promptId } },
      { body: { ...log, prompt_name: promptName } },
    ],
    search_requests: [{ body: {} }, { body: { q: 'canary' } }],
    get_request_analytics: [{ body: {} }],
    get_request_suggestions: [
      { query: 'field=tags' },
      { query: 'field=metadata_keys' },
      { query: 'field=metadata_values&metadata_key=user' },
      { query: `field=tags&prompt_id=${String(promptId)}` },
    ],
    track_metadata: metadata,
    library_track_metadata: metadata,
    track_score: score,
    library_track_score: score,
    track_prompt: prompt,
    library_track_prompt: prompt,
    track_group: group,
    library_track_group: group,
    create_group: [{ body: {} }],
    track_request: [{ body: { ...run, prompt_id: promptId } }, { body: { ...run, group_id } }],
    create_spans_bulk: [{ body: { spans: [bulkSpan] } }],
    ingest_otlp_traces: [{ body: exported }, { query: 'close_after=true', body: exported }],
    close_trace: [{}],
    add_trace: [
      {
        body: {
          trace_id: places['trace_id'],
          smart_table_id: places['table_id'],
          sheet_id: places['sheet_id'],
        },
      },
    ],
    list_skill_collections: [
      {},
      { query: `external_source=world&external_id=${encodeURIComponent(world.canary)}` },
    ],
    create_skill_collection: [
      { body: { name: 'another', folder_id: folderId, files: [{ path: 'a', content: 'b' }] } },
    ],
    get_skill_collection: [{}, { query: 'version=1' }, { query: 'label=prod' }],
    update_skill_collection: [{ body: { name: 'taken' } }],
    save_skill_collection_version: [
      {
        body: {
          file_updates: [{ path: 'taken', content: 'x' }],
          moves: [{ old_path: 'b.md', new_path: 'c.md' }],
          deletes: ['a.md'],
          release_label: 'prod',
        },
      },
    ],
    list_workflows: [{}],
    create_workflow: [{ body: { name: 'another', folder_id: folderId, nodes: [node] } }],
    patch_workflow: [{ body: { commit_message: 'taken' } }],
    run_workflow: [{ body: {} }],
    get_workflow_version_execution_results: [{ query: execution }],
    cancel_workflow_version_execution: [{ query: execution }],
    request_channel_token: [{ query: `capability=workflow_updates:${String(executionId)}` }],
  };
}

/**
 * Operations that answer with success whatever is asked, since they look into the workspace of the
 * key only. All others must refuse what belongs to another.
 */
export const answersFromOwn: readonly string[] = [
  'list_tables',
  'list_prompt_templates',
  'list_workflows',
  'list_skill_collections',
  'list_folder_entities',
  'search_requests',
  'get_request_analytics',
  'get_request_suggestions',
  'create_group',
  // A run has cost money: its log is kept, without the prompt or the group that are not there.
  'track_request',
  // Spans are kept in the workspace of the key, whatever trace of another has the same id.
  'create_spans_bulk',
  'ingest_otlp_traces',
];

/** Operations that end what is there, and are content when nothing is. */
export const contentWithNothing: readonly string[] = ['cancel_table_sheet_operation'];
