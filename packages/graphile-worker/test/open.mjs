import { createGraphileTimekeeper } from '@roomflow/graphile-worker';

export default (url) => createGraphileTimekeeper({ url, staleMs: 1_500 });
