/** Messages whose cost is measured: reconstructed examples of the protocol documents, and our own. */

/** The AICF document's JSON-RPC request, for which it claims "Tokens: ~120". */
export const AICF_DOCUMENT_JSON = {
  jsonrpc: '2.0',
  method: 'aip.tool.invoke',
  params: { tool: 'figma.getFile', arguments: { fileKey: 'abc123', version: '1.0' } },
  id: 1,
};

/** The same request in AICF, for which it claims "Tokens: ~15" and "87.5% fewer tokens". */
export const AICF_DOCUMENT_LINE = 'CALL|figma.getFile|abc123|1.0';

/** The pair for which it claims "Same functionality, 80% fewer tokens!". */
export const AICF_DUAL_JSON = {
  jsonrpc: '2.0',
  method: 'aip.tool.invoke',
  params: { tool: 'figma.getFile', arguments: { fileKey: 'abc123' } },
  id: 1,
};
export const AICF_DUAL_LINE = 'CALL|figma.getFile|abc123';

/** The HTTP heads of that pair as the document prints them. */
export const AICF_DUAL_HEADS = [
  'POST /aip/v1/rpc\nContent-Type: application/json\n\n',
  'POST /aip/v1/aicf\nContent-Type: text/plain\n\n',
] as const;

/** The whitepaper's tool chain example (7.2). */
export const AICL_DOCUMENT = `[d:
  [s:protocol]:[s:LightAICL],
  [s:session_id]:[s:auto_web_05],
  [s:msg_type]:[s:tool_call],
  [s:tool]:[s:web_scraper],
  [s:params]:[d:
    [s:target_url]:[s:https://example.com],
    [s:extract]:[l:[s:title],[s:price]]
  ]
]
`;

/**
 * A task to write an advertisement, as one agent would express it to another in words. The whitepaper specifies the
 * sizes of such a task but not its texts; this text and the message below are ours and have the same content.
 */
export const TASK_IN_WORDS = `Hello, this is the planning agent. I would like you to take on a task for the session
that we agreed to call copy_07. Please write a product description for our new wireless headphones, the model is called
Aria 3. The text should be written in English, it should be no longer than 120 words, and the tone should be friendly.
Please make sure that you mention that the battery lasts for 40 hours, that the headphones have active noise
cancelling, and that they weigh only 210 grams. The price is 129.90 euros and should be mentioned at the end. Please do
not compare the product with that of a competitor. I need to have the text before 17:00 on the 3rd of March 2025.
Thank you very much in advance!
`;
export const TASK_IN_AICL = `[d:[s:protocol]:[s:LightAICL],[s:session_id]:[s:copy_07],[s:msg_type]:[s:task_request],[s:task]:[s:product description: Aria 3 wireless headphones],[s:constraints]:[d:[s:language]:[s:en],[s:max_words]:[i:120],[s:tone]:[s:friendly],[s:mention]:[l:[s:battery 40 h],[s:active noise cancelling],[s:weight 210 g]],[s:end_with_price]:[f:129.90],[s:competitors]:[b:false]],[s:deadline]:[s:2025-03-03T17:00]]
`;

/** Ten messages of typical kinds: calls, replies, a task, an error, a list of records. */
export const OUR_MESSAGES = [
  message(
    'task_request',
    '[s:task]:[s:plan a trip to Lisbon],[s:constraints]:[d:[s:days]:[i:4],[s:budget]:[f:850.0]]',
  ),
  message('tool_call', '[s:tool]:[s:weather.forecast],[s:params]:[d:[s:city]:[s:Lisbon],[s:days]:[i:4]]'),
  message(
    'result',
    `[s:data]:[l:${['2025-05-02', '2025-05-03', '2025-05-04', '2025-05-05']
      .map(
        (date, day) =>
          `[d:[s:date]:[s:${date}],[s:high]:[f:${(21 + day / 2).toFixed(1)}],[s:rain]:[b:${day === 2}]]`,
      )
      .join(',')}]`,
  ),
  message(
    'tool_call',
    '[s:tool]:[s:hotel.search],[s:params]:[d:[s:city]:[s:Lisbon],[s:max_price]:[i:120],[s:stars]:[l:[i:3],[i:4]]]',
  ),
  message(
    'result',
    `[s:data]:[l:${['Alfama View', 'Casa do Rio', 'Hotel Tejo', 'Bairro Rooms', 'Jardim 21']
      .map(
        (name, id) =>
          `[d:[s:id]:[i:${4100 + id}],[s:name]:[s:${name}],[s:price]:[f:${(79.5 + id * 8).toFixed(2)}],[s:free]:[b:true]]`,
      )
      .join(',')}]`,
  ),
  message(
    'tool_call',
    '[s:tool]:[s:book.hotel],[s:params]:[d:[s:id]:[i:4102],[s:nights]:[i:3],[s:guest]:[s:M. Keller]],[s:timeout]:[i:30]',
  ),
  message(
    'error',
    '[s:code]:[i:5001],[s:reason]:[s:payment was refused],[s:detail]:[s:card ending in 4242 has expired]',
  ),
  message('data_query', '[s:query]:[s:flights from Zürich to Lisbon on 2025-05-02],[s:data_format]:[s:list]'),
  message(
    'result',
    '[s:content]:[s:There are three direct flights. The cheapest leaves at 07:10 and takes 2 h 50 min.]',
  ),
  message(
    'tool_call',
    '[s:tool]:[s:mail.send],[s:params]:[d:[s:to]:[s:m.keller@example.com],[s:subject]:[s:Your trip to Lisbon],[s:body]:[s:Dear Ms Keller, your plan is ready. Please look at the hotel again.]]',
  ),
].join('');

function message(type: string, fields: string): string {
  return `[d:[s:protocol]:[s:LightAICL],[s:session_id]:[s:trip_12],[s:msg_type]:[s:${type}],${fields}]\n`;
}
