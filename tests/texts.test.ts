import { type Locale, locales } from '@candela/contract';
import { pagePaths, pages as rows } from '@candela/contract/pages';
import { describe, expect, test } from 'vitest';
import { readPageCatalog } from '../apps/server/src/branding/brand/page-catalog.ts';
import { documentIds } from '../apps/server/src/branding/legal/document.ts';
import { findDocument } from '../apps/server/src/branding/legal/editions.ts';
import { textsOf } from '../apps/server/src/branding/texts/texts.ts';
import { messageTexts } from '../apps/server/src/person/delivery/message-texts.ts';

const pages = readPageCatalog(new URL('../apps/web/dist', import.meta.url).pathname);
if (!pages) throw new Error('the pages are not built: node apps/web/build-if-stale.ts');

const flatten = (tree: unknown, path: string): [string, string][] =>
  typeof tree === 'string'
    ? [[path, tree]]
    : Object.entries(tree ?? {}).flatMap(([key, value]) => flatten(value, path ? `${path}.${key}` : key));

/** Every text that a person reads, by its place. */
const everyText = (locale: Locale): [string, string][] => [
  ...flatten(pages[locale], ''),
  ...flatten(messageTexts[locale], ''),
  ...flatten(textsOf(locale).pages, 'page-texts'),
  ...documentIds.flatMap((id) => flatten(findDocument(id, locale, undefined).text, id)),
];

/** With the placeholders as something that is neither a letter nor a mark. */
const bare = (text: string) => text.replaceAll(/{+\w+}+/g, '\u25a1');

/** Names that every language writes alike. */
const names = [
  ...['JPEG', 'PNG', 'MB', 'SMS', 'QR', 'IP', 'ID', 'JavaScript', 'Cookie', 'cookie', 'Caps', 'Lock'],
  ...['name@example', 'security\\.txt', 'https?', 'API', 'OAuth', 'OpenID', 'Connect', 'PKCE', 'JWT', 'JSON'],
  ...[
    'Alexa',
    'Amazon',
    'Google',
    'Home',
    'Assistant',
    'Actions',
    'FAPI',
    'TypeScript',
    'curl',
    'URI',
    'env',
  ],
  ...['AliGenie', 'Alibaba', 'Alice', 'Apple', 'AWS', 'Baidu', 'DuerOS', 'Genie', 'IFTTT', 'IoT', 'Salute'],
  ...['LINE', 'Samsung', 'Sber', 'SmartThings', 'Tmall', 'VK', 'WeChat', 'Xiaodu', 'Yandex'],
  ...['clients', 'server-2', 'com\\.example'],
  ...['Framework', 'RFC', 'Shared', 'Signals', 'Webhook'],
  // Parameters and claims of the protocol, in the developers' texts.
  ...['CLIENT_SECRET', 'id_token', 'openid', 'state', 'code_challenge(?:_method)?', 'code_verifier'],
  ...['response_type=code', 'prompt=none', 'resource', 'iss', 'aud', 'exp', 'nonce', 'DPoP', 'UTC'],
];

interface Rule {
  says: string;
  in: readonly Locale[];
  /** What breaks it. */
  breach: RegExp;
  /** What must be refused, so that a rule that sees nothing is noticed. */
  bad: readonly string[];
}

const chinese = ['zh-Hant', 'zh-Hans'] as const;

const rules: readonly Rule[] = [
  {
    says: 'has no spaces at its ends, and never two',
    in: locales,
    breach: /^[^\S\n]|[^\S\n]$|[^\S\n]{2}/,
    bad: [' a', 'a ', 'a  b'],
  },
  {
    says: 'has full-width marks beside Chinese characters',
    in: chinese,
    breach: /\p{Script=Han}[,.:;!?()"]|[,;!?()"]\p{Script=Han}/u,
    bad: ['您好,世界', '好(的', '错误: x', '"好'],
  },
  {
    says: 'has no space beside a full-width mark',
    in: chinese,
    breach: /[，。：；？！、（）《》「」【】“”][^\S\n]|[^\S\n][，。：；？！、（）《》「」【】”]/,
    bad: ['好。 的', '□ ，', '（x） 的'],
  },
  {
    says: 'has a space between a Chinese character and a Latin one or a digit',
    in: chinese,
    breach: /\p{Script=Han}[A-Za-z0-9]|[A-Za-z0-9]\p{Script=Han}/u,
    bad: ['至少6 个', '6个'],
  },
  {
    says: 'has nothing left in English',
    in: ['zh-Hant', 'zh-Hans', 'ru'],
    breach: new RegExp(`(?<![A-Za-z@./_=-])(?!(?:${names.join('|')})(?![a-z]))[A-Za-z]{2,}`),
    bad: ['Sign in', 'Код for вас', 'cookies'],
  },
  {
    says: 'is written in Traditional characters',
    in: ['zh-Hant'],
    breach: /[请账号录这个为们设验码电邮机时间头开关见说话让应该过还没总发现实]/u,
    bad: ['请登入', '帐号'],
  },
  {
    says: 'is written in Simplified characters',
    in: ['zh-Hans'],
    breach: /[請帳號錄這個為們設驗碼電郵機時間頭開關見說話讓應該過還沒總發現實]/u,
    bad: ['請登录', '帳号'],
  },
  {
    says: 'has words and quotation marks of Taiwan, and one word for each thing',
    in: ['zh-Hant'],
    breach:
      /[“”]|重試|點擊|閘道|註銷|運行|日誌|撤銷|輪廓|電子郵件(?!地址)|信箱|兩步驟|動態驗證碼|(?:歷史|與|在)記錄/,
    bad: ['“好”', '請重試', '電子郵件信箱', '兩步驟驗證', '團隊與記錄'],
  },
  {
    says: 'has “quotation marks”, and one word for each thing',
    in: ['zh-Hans'],
    breach:
      /[「」]|网关|更换|更改|我们这边|两步验证|动态验证码|手机号码|身份验证器|屏幕锁|帐号|删除账号|移除授权/,
    bad: ['「好」', '家庭网关', '两步验证', '手机号码', '删除账号'],
  },
  {
    says: 'has «ёлочки», a long dash, and no Latin letter inside a word',
    in: ['ru'],
    breach: /["“”„]| - |[а-яё][a-z]|[a-z][а-яё]/i,
    bad: ['"да"', 'код - это', 'кoд'],
  },
  {
    says: 'speaks to «вы» with a small letter, and has one word for each thing',
    in: ['ru'],
    breach:
      /(?<=[а-яё,»] )(?:Вы|Вас|Вам|Ваш[а-яё]*)(?![а-яё])|имя пользователя|на связи|(?<![Ээ]л\. )почт|e-mail|код\S* восстановления|связанны\S+ приложени/,
    bad: [
      'Если Вы',
      'адрес почты',
      'остаться на связи',
      'ваш e-mail',
      'код восстановления',
      'связанные приложения',
    ],
  },
];

describe.each(rules)('every text $says', ({ in: languages, breach, bad }) => {
  test.each(languages)('in %s', (locale) => {
    expect(everyText(locale).length).toBeGreaterThan(500);
    const breaches = everyText(locale).filter(([, text]) => breach.test(bare(text)));
    expect(Object.fromEntries(breaches)).toEqual({});
  });

  test('and what does not is noticed', () => {
    expect(bad.filter((text) => !breach.test(bare(text)))).toEqual([]);
  });
});

test('a message has the same placeholders in each language', () => {
  const placeholders = (text: string) => [...new Set(text.match(/{{\w+}}/g))].sort();
  for (const locale of locales) {
    for (const [key, text] of Object.entries(messageTexts[locale])) {
      // A language has the plural forms it has.
      const english = messageTexts.en[key] ?? messageTexts.en['messages.minutes.other'] ?? '';
      expect([locale, key, placeholders(text)]).toEqual([locale, key, placeholders(english)]);
    }
    const missing = Object.keys(messageTexts.en).filter((key) => !(key in messageTexts[locale]));
    expect(missing.filter((key) => !key.startsWith('messages.minutes.'))).toEqual([]);
  }
});

test('every page but a document has a title in the catalogue of each language', () => {
  for (const locale of locales) {
    const inCatalogue = pagePaths.filter((path) => rows[path].frame !== 'document');
    const untitled = inCatalogue.filter((path) => !pages[locale][rows[path].title ?? '']);
    expect([locale, untitled]).toEqual([locale, []]);
  }
});

test('the title and the text of each page error are texts of the pages', () => {
  const problems = ['not_found', 'invalid_request', 'interaction_expired', 'unavailable', 'internal_error'];
  const keys = problems.flatMap((code) => [`pageErrors.${code}.title`, `pageErrors.${code}.text`]);
  for (const locale of locales) {
    const missing = keys.filter((key) => !pages[locale][key]);
    expect([locale, missing]).toEqual([locale, []]);
  }
});
