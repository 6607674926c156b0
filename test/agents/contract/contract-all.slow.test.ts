import { afterEach } from 'mocha';
import { describeContract, type ContractRow } from '../support/contract.ts';
import { handRowAsProcess, handRowOverHttp } from '../support/hand-agents.ts';
import { AIO_MODULES, HAND_SCRIPTS, MCP_LINES, OPENSTARRY } from '../support/hand-scripts.ts';
import { closeRawAgents } from '../support/raw-agent.ts';

const ROWS: readonly ContractRow[] = [
  handRowOverHttp('MCP over HTTP, progress as events', 'mcp', HAND_SCRIPTS.mcp),
  handRowOverHttp("MCP over OpenStarry's plain POST", 'mcp', OPENSTARRY),
  handRowAsProcess('MCP over stdio', 'mcp', MCP_LINES),
  handRowOverHttp('Agent API over HTTP', 'agent-api', HAND_SCRIPTS['agent-api']),
  handRowOverHttp('Responses over HTTP', 'responses', HAND_SCRIPTS.responses),
  handRowOverHttp('A2A over HTTP', 'a2a', HAND_SCRIPTS.a2a),

  handRowOverHttp('AICF over HTTP', 'aicf', HAND_SCRIPTS.aicf),
  handRowOverHttp('AICL over HTTP', 'aicl', HAND_SCRIPTS.aicl),
  handRowAsProcess('AICL over stdio', 'aicl', HAND_SCRIPTS.aicl),
  handRowOverHttp('JSON-RPC over HTTP', 'json-rpc', HAND_SCRIPTS['json-rpc']),
  handRowOverHttp('AIO over HTTP', 'aio', HAND_SCRIPTS.aio),
  handRowOverHttp('AIO over HTTP, of the kind mcp', 'aio', AIO_MODULES),
  handRowAsProcess('AIO over stdio, by lines', 'aio', HAND_SCRIPTS.aio, 'lines'),
  handRowAsProcess('AIO over stdio, one process a request', 'aio', HAND_SCRIPTS.aio, 'one-shot'),
];

afterEach(closeRawAgents);
for (const row of ROWS) describeContract(row);
