import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { DEFAULT_SETTINGS } from '../../core/catalog/settings.ts';
import { LANGUAGE_SUPPORT } from '../../language/languages.ts';

/** The examples of LightAICL 1.0 as it prints them, by section, with the issues that they have. */
const AICL_EXAMPLES: readonly (readonly [section: string, text: string, issues: readonly string[]])[] = [
  [
    '3.2, list and dictionary',
    `# 列表
[l:
  [s:Apple],
  [i:3],
  [f:1.99]
]

# 字典（键必须为字符串）
[d:
  [s:name]:[s:iPhone],
  [s:price]:[f:899.99],
  [s:in_stock]:[b:true]
]
`,
    ['information aicl/fragment', 'information aicl/fragment'],
  ],
  ['3.3, tensor', '[t:float32:2,3:9Yq<Q*]\n', ['information aicl/fragment', 'error aicl/tensor-length']],
  [
    '4.2, error',
    `[d:
  [s:protocol]:[s:LightAICL],
  [s:session_id]:[s:current_session],
  [s:msg_type]:[s:error],
  [s:code]:[i:2001],
  [s:reason]:[s:MISSING_REQUIRED_FIELD],
  [s:detail]:[s:Field 'target_url' required in tool_call]
]
`,
    [],
  ],
  [
    '7.1, models of several kinds',
    `[d:
  [s:protocol]:[s:LightAICL],
  [s:session_id]:[s:multimodal_001],
  [s:msg_type]:[s:task_request],
  [s:task]:[s:生成视频解说],
  [s:constraints]:[d:
    [s:video]:[t:uint8:300,1080,1920,3:Kjsd...],
    [s:lang]:[s:zh-CN]
  ]
]
`,
    ['information aicl/elided-tensor'],
  ],
  [
    '7.2, tools',
    `[d:
  [s:protocol]:[s:LightAICL],
  [s:session_id]:[s:auto_web_05],
  [s:msg_type]:[s:tool_call],
  [s:tool]:[s:web_scraper],
  [s:params]:[d:
    [s:target_url]:[s:https://example.com],
    [s:extract]:[l:[s:title],[s:price]]
  ]
]
`,
    [],
  ],
  [
    '7.3, federated learning',
    `[d:
  [s:protocol]:[s:LightAICL],
  [s:session_id]:[s:fl_session_12],
  [s:msg_type]:[s:result],
  [s:data]:[t:float32:128,256:YHj*...]
]
`,
    ['information aicl/elided-tensor'],
  ],
  ['8.1, signature', '# 添加数字签名\n[s:signature]:[s:4fd2a1f3...]\n', ['information aicl/fragment']],
  ['8.2, chunks', '[s:stream_id]:[s:chunk_3/5],\n[s:is_final]:[b:false]\n', ['information aicl/fragment']],
  [
    '8.3, negotiation',
    '[s:msg_type]:[s:protocol_negotiate],\n[s:supported]:[l:[s:LightAICL_v1],[s:LightAICL_v2]]\n',
    ['information aicl/fragment'],
  ],
];

describe('the examples of LightAICL 1.0', () => {
  for (const [section, text, issues] of AICL_EXAMPLES)
    it(section, () => {
      const document = LANGUAGE_SUPPORT.aicl.open(text, DEFAULT_SETTINGS);
      assert.deepEqual(
        document.validate().map(({ severity, code }) => `${severity} ${code}`),
        issues,
      );
      const isMessage = text.includes('[s:protocol]:[s:LightAICL]');
      assert.equal(document.requests().length, isMessage ? 1 : 0);
    });
});
