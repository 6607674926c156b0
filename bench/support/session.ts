/** The same session of small messages in both notations. */
export interface Session {
  readonly aicl: string;
  /** A minified JSON array with one message for each line. */
  readonly json: string;
  readonly messages: number;
}

/** A session of about `bytes` characters in AICL: typical tool calls and their results. */
export function makeSession(bytes: number): Session {
  const aicl: string[] = [];
  const json: string[] = [];
  for (let index = 0, length = 0; length < bytes; index++) {
    const [message, value] = index % 2 === 0 ? makeCall(index) : makeResult(index);
    aicl.push(message);
    json.push(JSON.stringify(value));
    length += message.length + 1;
  }
  return { aicl: `${aicl.join('\n')}\n`, json: `[\n${json.join(',\n')}\n]\n`, messages: aicl.length };
}

function header(index: number, type: string): string {
  return `[s:protocol]:[s:LightAICL],[s:session_id]:[s:session-${index % 50}],[s:msg_type]:[s:${type}]`;
}

function makeCall(index: number): readonly [string, unknown] {
  const days = index % 7;
  const message = `[d:${header(index, 'tool_call')},[s:tool]:[s:weather.forecast],[s:params]:[d:[s:city]:[s:Zürich],[s:days]:[i:${days}],[s:units]:[l:[s:metric],[f:1.5],[b:true]]]]`;
  const params = { city: 'Zürich', days, units: ['metric', 1.5, true] };
  return [message, { ...fields(index, 'tool_call'), tool: 'weather.forecast', params }];
}

function makeResult(index: number): readonly [string, unknown] {
  const message = `[d:${header(index, 'result')},[s:data]:[d:[s:high]:[f:${index % 40}.5],[s:low]:[i:-${index % 9}],[s:sky]:[s:a few clouds, later rain]],[s:metadata]:[d:[s:took_ms]:[i:${index}]]]`;
  const data = { high: (index % 40) + 0.5, low: -(index % 9), sky: 'a few clouds, later rain' };
  return [message, { ...fields(index, 'result'), data, metadata: { took_ms: index } }];
}

function fields(index: number, type: string): object {
  return { protocol: 'LightAICL', session_id: `session-${index % 50}`, msg_type: type };
}
