import type { LanguageTexts } from '../texts.ts';

export const usage: LanguageTexts['developers']['usage'] = {
  text: 'Последние 30 дней по UTC. Числа отстают на несколько секунд.',
  tokens: 'Токены',
  refreshes: 'Обновления',
  errors: 'Ошибки',
  empty: 'Токенов ещё нет',
  emptyText: 'График появится с первым токеном или первой ошибкой.',
  summary: 'Токены: {{tokens}}. Обновления: {{refreshes}}. Ошибки: {{errors}}.',
  table: 'Таблицей',
  caption: 'Токены, обновления и ошибки за последние 30 дней, начиная с последнего дня',
  day: 'День',
  kinds: 'Ошибки по типам',
};

export const snippets: LanguageTexts['developers']['snippets'] = {
  text: 'Значения этого приложения уже подставлены. Секрет — переменная CLIENT_SECRET вашего сервера.',
  environment: 'Переменные окружения',
  stack: 'Технология',
  page: 'Полное руководство с частыми ошибками: {{page}}',
  platform: 'Это приложение настраивается в консоли платформы. Она попросит эти значения:',
  direct: 'Библиотека не нужна: достаточно этих запросов.',
  values: {
    clientId: 'Идентификатор клиента',
    authorizationUrl: 'Адрес авторизации',
    tokenUrl: 'Адрес токенов',
    scopes: 'Разрешения',
    authentication: 'Аутентификация клиента',
  },
};
