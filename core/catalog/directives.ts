/** Directives in container lines before a request, as in `# @agent coder`. */
export const DIRECTIVES = [
  { name: 'agent', value: 'NAME', summary: 'The agent of agents.json that the request below is sent to.' },
  {
    name: 'default',
    value: 'NAME',
    summary: 'The agent of all requests of the file that name none; above its first message only.',
  },
  {
    name: 'name',
    value: 'NAME',
    summary:
      'A name for the request below, shown in the traces. Other requests use parts of its last reply: `{{NAME.data.id}}`.',
  },
  { name: 'timeout', value: 'SECONDS', summary: 'How long the request below may take.' },
  {
    name: 'session',
    value: 'NAME',
    summary:
      'The conversation with its agent that the request below continues: what the reply before it called the conversation, its task or its response goes into this request.',
  },
  {
    name: 'literal',
    value: '',
    summary: 'The braces of the request below are text: no variable in it is replaced.',
  },
  {
    name: 'batch',
    value: '',
    summary: 'The requests of the array below are sent together, as one batch of JSON-RPC 2.0.',
    isForJson: true,
  },
  {
    name: 'var',
    value: 'NAME = VALUE',
    summary:
      'A variable for all requests below, written `{{NAME}}` in their texts, numbers, booleans and fields; short for it is `# @NAME = VALUE`.',
  },
] as const satisfies readonly DirectiveRow[];

export interface DirectiveRow {
  readonly name: string;
  readonly value: string;
  readonly summary: string;
  /** True for a directive of requests in JSON only, which are below comments with `//`. */
  readonly isForJson?: true;
}

export type DirectiveName = (typeof DIRECTIVES)[number]['name'];
