import { askForCode, registerDevice } from '../../support/device.ts';
import { goTo, type Journey } from './journey.ts';

const pages = {
  device: '',
  'device-given': '?user_code=WDJBMJHT',
  'device-ended': '?problem=ended',
  'device-limited': '?user_code=WDJBMJHT&problem=limited&retry_after=3400',
  'device-connected': '?outcome=connected',
};

const device: Journey = {
  name: 'connecting a device',
  signedIn: true,
  visit: async function* (page, stage) {
    for (const [name, search] of Object.entries(pages)) {
      await goTo(page, stage, `/device${search}`);
      await page.locator('main form button, main a').first().waitFor();
      yield name;
    }
    const tv = await registerDevice(stage.world, { client_name: 'Living-room TV' });
    const { user_code } = await askForCode(tv, { scope: 'openid profile' });
    await goTo(page, stage, `/device?user_code=${user_code}`);
    await page.locator('main form button').click();
    await page.waitForURL('**/consent?**');
    await page.locator('main button').nth(2).waitFor();
    yield 'device-consent';
  },
};

/** The page that connects a device, and what it leads to. */
export const deviceJourneys: readonly Journey[] = [device];
