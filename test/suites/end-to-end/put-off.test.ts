import { expect, it } from 'vitest';
import { referenceAdapter } from '../../../adapters/reference/index.ts';
import { decodeToken, replayCase } from '../../../suites/index.ts';

// A WRITE with immediate of two packets, unsignaled, to a QP of the same device.
const token =
  'rdc1.261b31d2.xZNBb5wwEIX_y5yNGtCmSnwjLFKRgrYiqHuoImTZw9YS2MQeNolW_PfK3jSiTdIeezTP7833YDiBmwcEDk4m2PcoySePThMmehxRaUEIDLw-GEGzCxeNNeHR5OyEjp6Bw4vvk5PJYKUYgIFQYiJ0IRd7dGhkjJFohNMW-AmO6Ly2BnjKQM0Ubz7M6IOLwYTR7MWIicKjjnY9Ad8wGGkGnl1-ZisHP4En4eirN8AvGAgp0Xvg3-8ZjOJpi54alZMdtYwTR_H0-1mbxrhWjyErzRiQHtEGrHQT5pB7LgzFaGdcE87A0yVIfrJG_YlwlV5nKwqobr51eVGUd3fd7a7Ib7t9U7UlsLXQlPWuLf-iNGW-fVfI211dFfBe182_un5YNX1b9aCtCXVOMKA50A_g6UW2-R89ez0MgeqegXcPwHsxeGTgCaczoLLAYbKeOofyCOyV-Gpha9WjUcDgMX4_O0mrwo6H0fuma7Z1fubs9lX7pavqepWUXV7_eilxMWzfezzvSPxfBlQvYEvg7MU8UFzJZfkJ';

it('a request that a busy responder puts off may be carried out after the device seems at rest', async () => {
  const adapter = referenceAdapter({ responder: { busyEvery: 2, rnrWaitFactor: 3, responseTime: 27_800 } });
  const { judgement } = await replayCase(adapter, decodeToken(token));
  expect(judgement.violations.map(({ rule }) => rule)).toEqual([]);
});
