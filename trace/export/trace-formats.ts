/** The export formats of traces, as in `parley trace export --to`. */
export const TRACE_FORMATS = [
  {
    name: 'agenttrace',
    title: 'Trace file',
    summary: 'complete, for Parley',
    ending: '.agenttrace.jsonl',
  },
  {
    name: 'aio',
    title: 'AIO graph',
    summary: 'the graph of AIO-MCP, with inputs and outputs',
    ending: '.aio.json',
  },
  {
    name: 'otlp',
    title: 'OpenTelemetry (OTLP JSON)',
    summary: 'spans with attributes of GenAI and MCP, without payloads',
    ending: '.otlp.json',
  },
  {
    name: 'har',
    title: 'HAR 1.2',
    summary: 'the HTTP exchanges, for browser developer tools',
    ending: '.har',
  },
  {
    name: 'mermaid',
    title: 'Mermaid sequence diagram',
    summary: 'callers, agents and calls, in order',
    ending: '.mmd',
  },
  {
    name: 'markdown',
    title: 'Markdown',
    summary: 'short, for pasting into a model',
    ending: '.md',
  },
  {
    name: 'csv',
    title: 'CSV',
    summary: 'one row per call',
    ending: '.csv',
  },
  {
    name: 'totals',
    title: 'CSV of totals',
    summary: 'one row per agent: calls, errors, times, tokens, bytes',
    ending: '.totals.csv',
  },
] as const;

export type TraceFormat = (typeof TRACE_FORMATS)[number]['name'];

/** The format by its name; undefined if there is none. */
export function findTraceFormat(name: string): (typeof TRACE_FORMATS)[number] | undefined {
  return TRACE_FORMATS.find(row => row.name === name);
}
