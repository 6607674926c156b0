/**
 * What the error codes of the protocols mean, one row a meaning. A number is looked up in its own protocol's column
 * only: 404 is a tool that does not exist in AICF and nothing at all in LightAICL.
 */
export const ERROR_MEANINGS = [
  {
    name: 'malformed',
    title: 'malformed request',
    aicl: 1000,
    aicf: 400,
    written: { aicf: 400, jsonRpc: '-32700, -32600', aip: '-32700, -32600', http: 400 },
    numbers: { jsonRpc: -32600, aip: -32600 },
    reads: { jsonRpc: [-32700, -32600], aip: [-32700, -32600], http: [400] },
  },
  {
    name: 'invalid-tensor',
    title: 'invalid tensor',
    aicl: 1001,
    aicf: undefined,
    written: { aicf: 422, jsonRpc: '-32602', aip: '-32602', http: 422 },
    numbers: { jsonRpc: -32602, aip: -32602 },
    reads: { jsonRpc: [], aip: [], http: [] },
  },
  {
    name: 'wrong-argument',
    title: 'missing or wrong argument',
    aicl: 2001,
    aicf: 422,
    written: { aicf: 422, jsonRpc: '-32602', aip: '-32602', http: 422 },
    numbers: { jsonRpc: -32602, aip: -32602 },
    reads: { jsonRpc: [-32602], aip: [-32602], http: [422] },
  },
  {
    name: 'no-such-tool',
    title: 'no such tool',
    aicl: 3001,
    aicf: 404,
    written: {
      aicf: 404,
      jsonRpc: '-32601 (MCP: -32602 "not found")',
      aip: '404, 1001 "not found"',
      http: 404,
    },
    numbers: { jsonRpc: -32601, aip: 404, mcp: -32602 },
    reads: { jsonRpc: [], aip: [404], http: [404] },
  },
  {
    name: 'wrong-form',
    title: 'result of the wrong form',
    aicl: 4001,
    aicf: undefined,
    written: { aicf: 500, jsonRpc: '-32603', aip: '500', http: 502 },
    numbers: { jsonRpc: -32603, aip: 500 },
    reads: { jsonRpc: [], aip: [], http: [502] },
  },
  {
    name: 'tool-failed',
    title: 'the tool failed',
    aicl: 5000,
    aicf: 500,
    written: {
      aicf: 500,
      jsonRpc: '-32603 (MCP: `isError`)',
      aip: '1001, 500, `success:false`',
      http: 500,
    },
    numbers: { jsonRpc: -32603, aip: 500 },
    reads: { jsonRpc: [-32603], aip: [500, 1001, -32603], http: [500] },
  },
  {
    name: 'recursion-guard',
    title: 'stopped by the recursion guard',
    aicl: 5005,
    aicf: undefined,
    written: { aicf: 500, jsonRpc: '-33007', aip: '500', http: 508 },
    numbers: { jsonRpc: -33007, aip: 500 },
    reads: { jsonRpc: [-33007], aip: [], http: [508] },
  },
] as const satisfies readonly ErrorMeaningRow[];

export interface ErrorMeaningRow {
  readonly name: string;
  /** A few words, as they stand beside a code. */
  readonly title: string;
  readonly aicl: number;
  /** The code that is read back as this meaning; undefined where AICF writes the code of another row for it. */
  readonly aicf: number | undefined;
  /** What is written for it: JSON-RPC is the code of AIO, MCP and A2A, AIP that of AICF's twin endpoint. */
  readonly written: {
    readonly aicf: number;
    readonly jsonRpc: string;
    readonly aip: string;
    readonly http: number;
  };
  /** The one code of `written` that we write, where that names several; MCP's only where it is not that of JSON-RPC. */
  readonly numbers: { readonly jsonRpc: number; readonly aip: number; readonly mcp?: number };
  /** The codes that are read back as this meaning; a code stands in one row of a column. */
  readonly reads: {
    readonly jsonRpc: readonly number[];
    readonly aip: readonly number[];
    readonly http: readonly number[];
  };
}

export type ErrorMeaning = (typeof ERROR_MEANINGS)[number]['name'];

/**
 * Codes that mean a tool that does not exist where the text says that something was not found: `method` where it must
 * speak of a tool as well, because the same code is that of an unknown method.
 */
export const NOT_FOUND_CODES: Readonly<Record<ErrorColumn, NotFoundCodes>> = {
  aicl: { any: [], method: [] },
  aicf: { any: [422], method: [] },
  jsonRpc: { any: [-32602], method: [-32601] },
  aip: { any: [-32602, 1001], method: [-32601] },
  http: { any: [422], method: [] },
};

export interface NotFoundCodes {
  readonly any: readonly number[];
  readonly method: readonly number[];
}

/** A column of the table: JSON-RPC is that of AIO, MCP and A2A. */
export type ErrorColumn = 'aicl' | 'aicf' | 'jsonRpc' | 'aip' | 'http';
