import type { Page } from 'playwright-core';
import { askForCode, registerDevice } from '../../support/device.ts';
import type { Screen, Stage } from './screens.ts';

const at = (name: string, search: string): Screen => ({
  name,
  signedIn: true,
  open: async (page, stage) => {
    await page.goto(`${stage.world.origin}/device${search}`);
    await page.locator('main form button, main a').first().waitFor();
  },
});

const ask = async (page: Page, { world }: Stage) => {
  const device = await registerDevice(world, { client_name: 'Living-room TV' });
  const { user_code } = await askForCode(device, { scope: 'openid profile' });
  await page.goto(`${world.origin}/device?user_code=${user_code}`);
  await page.locator('main form button').click();
  await page.waitForURL('**/consent?**');
  await page.locator('main button').nth(2).waitFor();
};

/** The page that connects a device, and what it leads to. */
export const deviceScreens: readonly Screen[] = [
  at('device', ''),
  at('device-given', '?user_code=WDJBMJHT'),
  at('device-ended', '?problem=ended'),
  at('device-limited', '?user_code=WDJBMJHT&problem=limited&retry_after=3400'),
  at('device-connected', '?outcome=connected'),
  { name: 'device-consent', signedIn: true, open: ask },
];
