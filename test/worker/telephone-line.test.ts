import { createServer } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { openTelephoneLine } from '../../src/worker/calls/telephone-line.ts';

/** A LiveKit server for telephone calls: it answers as configured, with the codes of LiveKit's own mock. */
async function lineTo(answer: { readonly status: number; readonly body: unknown } | 'never') {
  const asked: Record<string, unknown>[] = [];
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk) => (text += String(chunk)));
    request.on('end', () => {
      asked.push(JSON.parse(text) as Record<string, unknown>);
      if (answer === 'never') return;
      response.writeHead(answer.status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(answer.body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const line = openTelephoneLine({ url: `ws://127.0.0.1:${port}`, apiKey: 'key', apiSecret: 'secret'.repeat(6) });
  const call = { trunk: 'ST_1', number: '+49301', room: 'r', identity: 'caller', from: null, ringSeconds: 20 };
  return { asked, dial: () => line.dial(call) };
}

function refused(status: number, code: string, sip: number) {
  return { status, body: { code, msg: 'no', meta: { sip_status_code: String(sip), sip_status: 'No' } } };
}

test.each([
  ['busy', refused(429, 'resource_exhausted', 486)],
  ['busy', refused(429, 'resource_exhausted', 600)],
  ['no-answer', refused(429, 'resource_exhausted', 480)],
  ['no-answer', refused(408, 'deadline_exceeded', 408)],
  ['rang-out', refused(409, 'aborted', 487)],
  ['declined', refused(403, 'permission_denied', 603)],
  ['unknown-number', refused(404, 'not_found', 404)],
  ['not-reached', refused(403, 'permission_denied', 403)],
] as const)('a telephone that is not answered is told as %s by its status', async (result, answer) => {
  const { dial } = await lineTo(answer);
  expect(await dial()).toEqual({ result, sipStatus: Number(answer.body.meta.sip_status_code) });
});

test('a telephone is waited for until it is answered, and rings as long as is said', async () => {
  const { asked, dial } = await lineTo({ status: 200, body: { participantIdentity: 'caller', roomName: 'r' } });
  expect(await dial()).toEqual({ result: 'answered' });
  expect(asked).toMatchObject([{ sipCallTo: '+49301', waitUntilAnswered: true, ringingTimeout: '20s' }]);
});

test('a server that ends the ringing without a status has let it ring out', async () => {
  const { dial } = await lineTo({ status: 408, body: { code: 'deadline_exceeded', msg: 'late' } });
  expect(await dial()).toEqual({ result: 'rang-out' });
});

test.each([
  ['SIP 503', refused(412, 'failed_precondition', 503)],
  ['SIP 407', refused(412, 'failed_precondition', 407)],
  ['unavailable \\(503\\)', { status: 503, body: { code: 'unavailable', msg: 'no response from servers' } }],
] as const)('a line that fails, as by %s, is no result of the person', async (told, answer) => {
  const { dial } = await lineTo(answer);
  await expect(dial()).rejects.toThrow(new RegExp(`call-failed: the telephone was not called: ${told}`));
});
