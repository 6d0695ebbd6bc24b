// One of the processes that share a store: STORE-ADDRESS SESSION-ID REFERENCE-FILE. Sends the times of its commits.
import process from 'node:process';
import { shareStore } from './store-commits.ts';

const [address = '', sessionId = '', file = ''] = process.argv.slice(2);
process.send?.(await shareStore(address, sessionId, file));
process.disconnect();
