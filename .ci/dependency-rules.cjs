// Who may import whom: the six folders of src, checked by dependency-cruiser in `npm test`.
const only = (folder, ...allowed) => ({
  name: `${folder}-imports-only-${allowed.join('-') || 'itself'}`,
  severity: 'error',
  from: { path: `^src/${folder}/` },
  to: { path: '^src/', pathNot: `^src/(${[folder, ...allowed].join('|')})/` },
});
const type = { dependencyTypesNot: ['type-only'] };

/** Of the extension, from below: each knows those before it, and of all others types only. */
const layers = [
  'contributions',
  'shell',
  'language-models',
  'panels',
  'ask',
  'cells',
  'kept-runs',
  'trees',
];
const layerRules = layers.map((layer, at) => ({
  name: `extension-${layer}-knows-only-what-is-below`,
  severity: 'error',
  from: { path: `^src/extension/${layer}/` },
  to: {
    path: '^src/extension/[^/]+/',
    pathNot: `^src/extension/(${layers.slice(0, at + 1).join('|')})/`,
    ...type,
  },
}));
/** Features that are built on another one. */
const builtOn = {
  compare: 'grid',
  requests: 'grid',
  scorecard: 'column-form',
  matrix: 'run-panel',
};
const shared = layers.join('|');
const plainFeatures = `(?!(?:${shared}|${Object.keys(builtOn).join('|')})/)([^/]+)/`;
const featureRules = [
  {
    name: 'extension-features-do-not-import-each-other',
    severity: 'error',
    from: { path: `^src/extension/${plainFeatures}` },
    to: { path: '^src/extension/[^/]+/', pathNot: `^src/extension/($1|${shared})/` },
  },
  ...Object.entries(builtOn).map(([feature, below]) => ({
    name: `extension-${feature}-is-built-on-${below}-only`,
    severity: 'error',
    from: { path: `^src/extension/${feature}/` },
    to: {
      path: '^src/extension/[^/]+/',
      pathNot: `^src/extension/(${feature}|${below}|${shared})/`,
    },
  })),
];

module.exports = {
  forbidden: [
    only('api'),
    only('core', 'api'),
    only('service', 'api', 'core'),
    only('protocol', 'api'),
    only('webview', 'protocol', 'api'),
    only('extension', 'api', 'core', 'protocol'),
    {
      name: 'protocol-and-webview-use-only-types-of-api',
      severity: 'error',
      from: { path: '^src/(protocol|webview)/' },
      to: { path: '^src/api/', ...type },
    },
    {
      name: 'api-needs-only-zod',
      severity: 'error',
      from: { path: '^src/api/' },
      to: { dependencyTypes: ['npm', 'npm-dev', 'core'], pathNot: 'node_modules/zod/' },
    },
    {
      name: 'vscode-only-in-extension',
      severity: 'error',
      from: { pathNot: '^(src/extension|test/host)/' },
      to: { path: '^vscode$|@types/vscode' },
    },
    {
      name: 'no-node-in-webview',
      severity: 'error',
      from: { path: '^src/(webview|protocol)/' },
      to: { dependencyTypes: ['core'] },
    },
    ...layerRules,
    ...featureRules,
    {
      name: 'nobody-imports-an-entry',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '^src/(extension|service)/main\\.ts$' },
    },
    {
      name: 'no-value-cycles',
      severity: 'error',
      from: { path: '^src/' },
      to: { circular: true, viaOnly: type },
    },
    {
      name: 'resolvable',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true, pathNot: '^(vscode|node:sqlite)$' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(dist|\\.vscode-test|\\.tsbuild)/' },
    tsPreCompilationDeps: true,
    detectProcessBuiltinModuleCalls: true,
    tsConfig: { fileName: 'tsconfig.base.json' },
    enhancedResolveOptions: {
      extensions: ['.ts', '.mjs', '.cjs', '.js'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
    },
  },
};
