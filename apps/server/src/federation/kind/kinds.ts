import type { ProviderKindName } from '@candela/contract';
import type { ProviderKind } from '../identity-provider/provider-kind.ts';
import { apple } from './apple.ts';
import { google } from './google.ts';
import { line } from './line.ts';
import { oidc } from './oidc.ts';
import { vk } from './vk.ts';
import { wechat } from './wechat.ts';
import { yandex } from './yandex.ts';

/** The kinds of providers. */
export const kinds: Readonly<Record<ProviderKindName, ProviderKind>> = {
  google,
  apple,
  wechat,
  vk,
  yandex,
  line,
  oidc,
};
