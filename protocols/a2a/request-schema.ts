import {
  ANY_OBJECT,
  BOOLEAN,
  described,
  INTEGER,
  listOf,
  objectOf,
  oneOf,
  rpcRequest,
  TEXT,
  text,
  type Schema,
} from '../request-schema.ts';

const TASK = objectOf({ id: text('The id of the task.'), historyLength: INTEGER, metadata: ANY_OBJECT }, [
  'id',
]);

/** A message; version 1.0 names roles and states in capitals, and its parts have no `kind`. */
function messageOf(role: Schema): Schema {
  return objectOf(
    {
      role,
      parts: described(
        listOf(
          objectOf({
            kind: oneOf('text', 'file', 'data'),
            text: text('A text for the agent.'),
            data: described({}, 'A JSON value for the agent.'),
            file: ANY_OBJECT,
            url: TEXT,
            raw: TEXT,
            filename: TEXT,
            mediaType: TEXT,
            metadata: ANY_OBJECT,
          }),
        ),
        'The content of the message.',
      ),
      messageId: text('A unique id. Parley gives one to a message without.'),
      contextId: text('The conversation that it continues; `// @session NAME` carries it on.'),
      taskId: text('The task that it continues.'),
      referenceTaskIds: listOf(TEXT),
      metadata: ANY_OBJECT,
    },
    ['role', 'parts'],
  );
}

function sending(message: Schema): Schema {
  const configuration = objectOf({
    acceptedOutputModes: described(listOf(TEXT), 'Media types of the answer.'),
    blocking: described(BOOLEAN, 'False to be answered before the task has ended.'),
    returnImmediately: described(BOOLEAN, 'True to be answered before the task has ended.'),
    historyLength: INTEGER,
    pushNotificationConfig: ANY_OBJECT,
    taskPushNotificationConfig: ANY_OBJECT,
  });
  return objectOf({ message, configuration, metadata: ANY_OBJECT }, ['message']);
}

const NEW = sending(messageOf(oneOf('ROLE_USER', 'ROLE_AGENT')));
const OLD = sending(messageOf(oneOf('user', 'agent')));

/** The requests of A2A 1.0 and, with `/` in their names, 0.3. */
export const A2A_REQUESTS = rpcRequest({
  SendMessage: { summary: 'Sends a message (A2A 1.0).', params: NEW },
  SendStreamingMessage: { summary: 'Sends a message and streams the answer (A2A 1.0).', params: NEW },
  GetTask: { summary: 'Asks for the state of a task (A2A 1.0).', params: TASK },
  ListTasks: {
    summary: 'Lists tasks (A2A 1.0).',
    params: objectOf({ contextId: TEXT, status: TEXT, pageSize: INTEGER, pageToken: TEXT }),
  },
  CancelTask: { summary: 'Cancels a task (A2A 1.0).', params: TASK },
  SubscribeToTask: { summary: 'Streams the updates of a task (A2A 1.0).', params: TASK },
  GetExtendedAgentCard: { summary: 'Asks for the card that signed-in clients get (A2A 1.0).' },
  'message/send': { summary: 'Sends a message (A2A 0.3).', params: OLD },
  'message/stream': { summary: 'Sends a message and streams the answer (A2A 0.3).', params: OLD },
  'tasks/get': { summary: 'Asks for the state of a task (A2A 0.3).', params: TASK },
  'tasks/cancel': { summary: 'Cancels a task (A2A 0.3).', params: TASK },
  'tasks/resubscribe': { summary: 'Streams the updates of a task (A2A 0.3).', params: TASK },
  'agent/getAuthenticatedExtendedCard': {
    summary: 'Asks for the card that signed-in clients get (A2A 0.3).',
  },
});
