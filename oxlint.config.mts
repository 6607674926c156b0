import { builtinModules } from 'node:module';
import { defineConfig, type OxlintOverride } from 'oxlint';
import { readDependencies } from './scripts/architecture/dependencies.ts';
import { isWithin, PURE, ROOMS, type Room } from './scripts/architecture/rooms.ts';

const BUILTINS = builtinModules.flatMap(name => [name, `node:${name}`]);

const DEPENDENCIES = readDependencies(import.meta.dirname);

/** The fence of a room: what its host lacks, and libraries that docs/dependencies.md gives to other rooms. */
function fence(room: Room): OxlintOverride {
  const elsewhere = DEPENDENCIES.filter(
    ({ where }) => !where.some(place => isWithin(place, room.path) || isWithin(room.path, place)),
  ).map(({ library }) => library);
  const modules = [
    ...(room.host.includes('vscode') ? [] : ['vscode']),
    ...(room.host.includes('node') ? [] : BUILTINS),
    ...elsewhere,
  ];
  const regex = `^(?:${modules.map(name => name.replaceAll('.', '\\.')).join('|')})(?:/.*)?$`;
  const patterns = [{ regex, message: room.reason, caseSensitive: true }];
  return {
    files: room.path.endsWith('.ts') ? [room.path] : [`${room.path.replace(/\/$/, '')}/**/*.ts`],
    rules: { 'no-restricted-imports': ['error', { patterns }] },
  };
}

/** Markup is never made from text (invariant 7): panel-host.ts alone assigns a webview's page. */
const MARKUP = [
  {
    selector: 'MemberExpression[property.name=/^(innerHTML|outerHTML|insertAdjacentHTML)$/]',
    message: 'Build elements by client/webviews/shared instead: text is never HTML.',
  },
  {
    selector: 'AssignmentExpression[left.property.name="html"]',
    message: 'client/src/window/panel-host.ts alone assigns webview.html.',
  },
];

const PRODUCT = [...PURE, 'agents', 'server', 'client', 'cli', 'tokenizers'].map(room => `${room}/**/*.ts`);
/** What VS Code parses as a link or an icon is escaped in one place: client/src/window/messages.ts and client/src/window/sinks. */
const PARSED_BY_VSCODE =
  /^(?:show(?:Information|Warning|Error)Message|setStatusBarMessage|withProgress|showQuickPick|createQuickPick|showInputBox|createInputBox)$/;

const SINKS = [
  {
    selector: `:matches(MemberExpression[property.name=${PARSED_BY_VSCODE}], MemberExpression[property.value=${PARSED_BY_VSCODE}], ObjectPattern > Property[key.name=${PARSED_BY_VSCODE}])`,
    message:
      'Call client/src/window/messages.ts or client/src/window/sinks/quick-input.ts instead: VS Code parses links and icons.',
  },
  {
    selector:
      'AssignmentExpression[left.property.type="Identifier"][left.property.name=/^(?:text|detail|items|prompt|validationMessage)$/]',
    message: 'Call client/src/window/sinks instead: VS Code parses icons and links in labels.',
  },
  {
    selector:
      ':matches(NewExpression[callee.name="MarkdownString"], NewExpression[callee.property.name="MarkdownString"])',
    message: 'Call buildTooltip of client/src/window/sinks/labels.ts instead: Markdown has links.',
  },
];

const STYLE = [
  { selector: 'ExportDefaultDeclaration', message: 'Name what is exported.' },
  {
    selector: ':function > Identifier.params > TSTypeAnnotation > TSBooleanKeyword',
    message: 'Split the function, or use a named option instead of a boolean parameter.',
  },
  {
    selector: ':matches(PropertyDefinition, MethodDefinition[kind!="constructor"])[accessibility="private"]',
    message: 'Use a #private member.',
  },
];

const NODE_FILES = '[source.value=/^(node:)?fs(\\u002fpromises)?$/]';
const OPENING = '/^(readFile|readFileSync|open|openSync|openAsBlob|createReadStream|promises)$/';
const READ_BY =
  'Read by agents/regular-file.ts or client/src/base/read-file.ts: a path may lead to a pipe or a device.';

/** What opens a file that somebody else may have made is checked in one place. */
const READING = [
  {
    selector: `ImportDeclaration${NODE_FILES} > ImportSpecifier[imported.name=${OPENING}]`,
    message: READ_BY,
  },
  {
    selector: `ExportNamedDeclaration${NODE_FILES} > ExportSpecifier[local.name=${OPENING}]`,
    message: READ_BY,
  },
  {
    selector: `ImportDeclaration${NODE_FILES} > :matches(ImportNamespaceSpecifier, ImportDefaultSpecifier)`,
    message: READ_BY,
  },
  { selector: `ImportExpression${NODE_FILES}`, message: READ_BY },
  {
    selector: 'MemberExpression[property.name="readFile"][object.property.name="fs"]',
    message: READ_BY,
  },
];

/** The helpers themselves, what opens files to write them, and what reads files of the system or of the extension. */
const OPENERS = [
  'agents/regular-file.ts',
  'agents/proxy/socket-owners.ts',
  'agents/stdio/process-group.ts',
  'agents/store/stored-file.ts',
  'agents/store/trace-file.ts',
  'cli/src/commands/trace-export.ts',
  'client/src/main.browser.ts',
  'client/src/base/read-file.ts',
];

/** Rules of typescript-eslint that have no options here; those that need types are checked by tsgolint. */
const TYPESCRIPT = [
  'await-thenable',
  'ban-ts-comment',
  'no-array-constructor',
  'no-array-delete',
  'no-base-to-string',
  'no-duplicate-enum-values',
  'no-duplicate-type-constituents',
  'no-empty-object-type',
  'no-explicit-any',
  'no-extra-non-null-assertion',
  'no-floating-promises',
  'no-for-in-array',
  'no-implied-eval',
  'no-misused-new',
  'no-misused-promises',
  'no-namespace',
  'no-non-null-asserted-optional-chain',
  'no-redundant-type-constituents',
  'no-require-imports',
  'no-this-alias',
  'no-unnecessary-type-assertion',
  'no-unnecessary-type-constraint',
  'no-unsafe-argument',
  'no-unsafe-assignment',
  'no-unsafe-call',
  'no-unsafe-declaration-merging',
  'no-unsafe-enum-comparison',
  'no-unsafe-function-type',
  'no-unsafe-member-access',
  'no-unsafe-return',
  'no-unsafe-unary-minus',
  'no-unused-expressions',
  'no-wrapper-object-types',
  'only-throw-error',
  'prefer-as-const',
  'prefer-namespace-keyword',
  'prefer-promise-reject-errors',
  'restrict-plus-operands',
  'restrict-template-expressions',
  'triple-slash-reference',
  'unbound-method',
  'no-non-null-assertion',
] as const;

export default defineConfig({
  plugins: ['typescript'],
  jsPlugins: ['eslint-plugin-regexp', './scripts/lint/restricted-syntax.ts'],
  categories: { correctness: 'off' },
  options: { typeAware: true, reportUnusedDisableDirectives: 'error' },
  ignorePatterns: [
    '**/*.js',
    '**/*.mjs',
    'dist/',
    '.build/',
    'node_modules/',
    '**/*.generated.*',
    'samples/',
  ],
  rules: {
    eqeqeq: 'error',
    'no-var': 'error',
    'prefer-const': 'error',
    'prefer-rest-params': 'error',
    'prefer-spread': 'error',
    'max-lines': ['error', { max: 400 }],
    'max-lines-per-function': ['error', { max: 60, skipBlankLines: true, skipComments: true }],
    ...Object.fromEntries(TYPESCRIPT.map(name => [`typescript/${name}`, 'error' as const])),
    'typescript/consistent-type-imports': [
      'error',
      { fixStyle: 'inline-type-imports', disallowTypeAnnotations: false },
    ],
    'typescript/consistent-type-assertions': ['error', { assertionStyle: 'never' }],
    'typescript/switch-exhaustiveness-check': [
      'error',
      { considerDefaultExhaustiveForUnions: true, requireDefaultForNonUnion: false },
    ],
    'typescript/no-unused-vars': ['error', { argsIgnorePattern: '^_', ignoreRestSiblings: true }],
    'parley/restricted-syntax': ['error', ...MARKUP, ...STYLE],
  },
  overrides: [
    {
      // Its reader wants a default export.
      files: ['oxlint.config.mts'],
      rules: { 'parley/restricted-syntax': 'off' },
    },
    ...ROOMS.toSorted((one, other) => one.path.length - other.path.length).map(fence),
    {
      // Tables are long by nature.
      files: ['core/catalog/**/*.ts'],
      rules: { 'max-lines': 'off' },
    },
    {
      files: ['agents/**/*.ts', 'cli/src/**/*.ts', 'client/src/**/*.ts'],
      excludeFiles: OPENERS,
      rules: { 'parley/restricted-syntax': ['error', ...MARKUP, ...STYLE, ...READING] },
    },
    {
      // A guard is the one place where a value of unknown shape gets its type.
      files: ['**/guard.ts', '**/*-guard.ts', '**/guards.ts', 'wire/**/*.ts'],
      rules: { 'typescript/consistent-type-assertions': 'off' },
    },
    {
      files: ['client/src/**/*.ts'],
      excludeFiles: ['client/src/window/messages.ts', 'client/src/window/sinks/*.ts', ...OPENERS],
      rules: { 'parley/restricted-syntax': ['error', ...MARKUP, ...STYLE, ...READING, ...SINKS] },
    },
    {
      files: OPENERS.filter(file => file.startsWith('client/')),
      rules: { 'parley/restricted-syntax': ['error', ...MARKUP, ...STYLE, ...SINKS] },
    },
    {
      files: ['client/src/window/panel-host.ts'],
      rules: { 'parley/restricted-syntax': ['error', MARKUP[0], ...STYLE, ...READING, ...SINKS] },
    },
    {
      // Patterns that see text of agents and files take linear time, whatever the text.
      files: PRODUCT,
      rules: {
        'regexp/no-super-linear-backtracking': ['error', { report: 'potential' }],
        'regexp/no-super-linear-move': ['error', { report: 'potential' }],
      },
    },
    {
      files: ['test/**/*.ts', 'bench/**/*.ts'],
      rules: {
        'max-lines': 'off',
        'max-lines-per-function': 'off',
        'typescript/consistent-type-assertions': 'off',
      },
    },
  ],
});
