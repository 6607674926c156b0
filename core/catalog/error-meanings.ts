/**
 * The meanings of the protocols' error codes, one row for each meaning. A number is looked up only in the
 * column of its own protocol: 404 is a missing tool in AICF and undefined in LightAICL.
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
    title: 'recursion limit reached',
    aicl: 5005,
    aicf: undefined,
    written: { aicf: 500, jsonRpc: '-33007', aip: '500', http: 508 },
    numbers: { jsonRpc: -33007, aip: 500 },
    reads: { jsonRpc: [-33007], aip: [], http: [508] },
  },
] as const satisfies readonly ErrorMeaningRow[];

export interface ErrorMeaningRow {
  readonly name: string;
  /** A few words that are shown next to a code. */
  readonly title: string;
  readonly aicl: number;
  /** The code that is read as this meaning; undefined if AICF writes the code of another row for it. */
  readonly aicf: number | undefined;
  /**
   * The codes that are written for it: `jsonRpc` for AIO, MCP
   * and A2A, `aip` for the JSON-RPC endpoint of an AICF server.
   */
  readonly written: {
    readonly aicf: number;
    readonly jsonRpc: string;
    readonly aip: string;
    readonly http: number;
  };
  /** The code that we write if `written` names several; `mcp` only if it differs from `jsonRpc`. */
  readonly numbers: { readonly jsonRpc: number; readonly aip: number; readonly mcp?: number };
  /** The codes that are read as this meaning; each code is in one row of a column. */
  readonly reads: {
    readonly jsonRpc: readonly number[];
    readonly aip: readonly number[];
    readonly http: readonly number[];
  };
}

export type ErrorMeaning = (typeof ERROR_MEANINGS)[number]['name'];

/**
 * Codes that mean a missing tool if the error text reports that something was not found. For codes in
 * `method`, the text must mention a tool, because these codes also mean an unknown method or, in AICF, a missing
 * file; `otherwise` is their meaning in that case, by default `malformed`.
 */
export const NOT_FOUND_CODES: Readonly<Record<ErrorColumn, NotFoundCodes>> = {
  aicl: { any: [], method: [] },
  aicf: { any: [422], method: [404], otherwise: 'tool-failed' },
  jsonRpc: { any: [-32602], method: [-32601] },
  aip: { any: [-32602, 1001], method: [-32601] },
  http: { any: [422], method: [] },
};

export interface NotFoundCodes {
  readonly any: readonly number[];
  readonly method: readonly number[];
  readonly otherwise?: ErrorMeaning;
}

/** A column of the table; `jsonRpc` is for AIO, MCP and A2A. */
export type ErrorColumn = 'aicl' | 'aicf' | 'jsonRpc' | 'aip' | 'http';

/** How a protocol encodes errors. The optional members describe differences from most protocols. */
export interface ErrorFacts {
  /** The column in which its codes are looked up. Protocols whose own codes are words use that of HTTP. */
  readonly column: ErrorColumn;
  /** The member of `numbers` with codes that only this protocol uses. */
  readonly own?: 'mcp';
  /** True if its codes are words, so that a numeric code of another protocol is written as text. */
  readonly hasWords?: true;
  /** True if it accepts only its own codes. */
  readonly isClosed?: true;
  /** True if its methods are tools, so that a missing method is a missing tool. */
  readonly hasToolMethods?: true;
  /** True if only the error text distinguishes a missing tool, so that the text must state it. */
  readonly namesMissingTool?: true;
  /** True if a text in the error's data continues its message. */
  readonly hasDetail?: true;
  /** How errors show that a tool ran and failed: by their code, or by having no code. */
  readonly failsBy?: 'code' | 'no-code';
  /** The protocol name of errors inside results; without a code, they mean that a tool failed. */
  readonly inResults?: string;
}
