import { createDbosTimekeeper } from '@roomflow/dbos';

export default (url) => createDbosTimekeeper({ url, staleMs: 1_500 });
