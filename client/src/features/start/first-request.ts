import type { ProtocolName } from '../../../../core/catalog/protocols.ts';
import { ALL_PROTOCOLS } from '../../../../protocols/all.ts';
import { convertText } from '../../../../protocols/convert/convert.ts';

/** Every agent can be asked for its tools, so this request can be sent as it is. */
const FIRST_REQUEST = 'LIST\n';

export const AICF_FILE = `# Each line is a request: COMMAND|TOOL|ARGUMENTS. Choose Send above it.
# A line such as "# @agent NAME" above a request chooses its agent.
${FIRST_REQUEST}`;

export const AICL_FILE = `# A message between agents. Choose Send above it.
[d:
  [s:protocol]:[s:LightAICL],
  [s:session_id]:[s:session],
  [s:msg_type]:[s:task_request],
  [s:task]:[s:Which tools do you have?],
  [s:constraints]:[d:]
]
`;

/** The same request in the JSON of a protocol. */
export function writeFirstRequest(protocol: ProtocolName): string {
  const options = { protocols: ALL_PROTOCOLS, from: 'aicf', to: protocol, layout: 'pretty' } as const;
  return convertText(FIRST_REQUEST, options).text;
}
