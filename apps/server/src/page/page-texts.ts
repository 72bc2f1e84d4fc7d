import type { Locale, PageErrorCode } from '@candela/contract';

/** Texts of the pages that the server renders itself: they have to work without JavaScript. */
interface PageTexts {
  needsScript: string;
  /** Of a page whose scripts or texts did not come. */
  unloadedTitle: string;
  unloaded: string;
  retry: string;
  errorTitle: string;
  reference: string;
  /** The app's name follows. */
  startAgain: string;
  toAccount: string;
  terms: string;
  privacy: string;
  support: string;
  errors: Record<PageErrorCode, string>;
  misdirectedTitle: string;
  /** An address follows. */
  servedAt: string;
  signOutTitle: string;
  signOutQuestion: string;
  signOut: string;
  staySignedIn: string;
  signingOut: string;
  signedOutTitle: string;
  signedOut: string;
  signInAgain: string;
  signOutFaultTitle: string;
  signOutFault: string;
  forDevelopers: string;
}

export const pageTexts: Record<Locale, PageTexts> = {
  en: {
    needsScript: 'This page needs JavaScript. Turn it on in your browser and reload the page.',
    unloadedTitle: 'This page did not load',
    unloaded: 'Check the network, then try again. If that does not help, come back in a few minutes.',
    retry: 'Try again',
    errorTitle: 'This did not work',
    reference: 'Reference:',
    startAgain: 'Start again:',
    toAccount: 'Go to your account',
    terms: 'User agreement',
    privacy: 'Privacy policy',
    support: 'Support',
    errors: {
      not_found: 'There is no such page.',
      invalid_request: 'The app sent a request that cannot be answered. Go back to the app and try again.',
      unknown_client: 'The app that sent you here is not registered with us.',
      redirect_uri_mismatch: 'The app asked to return you to an address it has not registered.',
      interaction_expired: 'This sign-in has expired. Go back to the app and start again.',
      interaction_elsewhere:
        'This sign-in was started in another browser. Continue there, or start again here.',
      interaction_finished: 'This sign-in is finished.',
      sign_in_failed: 'You were not signed in.',
      misdirected_request: 'There is nothing at this address. Check the address bar.',
      rate_limited: 'Too many tries. Wait a moment, then try again.',
      unavailable: 'The service is not available right now. Try again in a moment.',
      internal_error:
        'Something went wrong on our side. Try again, and quote the reference if it happens again.',
    },
    misdirectedTitle: 'This address is not ours',
    servedAt: 'The service is at',
    signOutTitle: 'Sign out?',
    signOutQuestion: 'You will be signed out of your account in this browser.',
    signOut: 'Sign out',
    staySignedIn: 'Stay signed in',
    signingOut: 'Signing you out',
    signedOutTitle: 'You are signed out',
    signedOut: 'The light is off. See you soon.',
    signInAgain: 'Sign in again',
    signOutFaultTitle: 'You are still signed in',
    signOutFault:
      'Something is wrong with the request to sign you out. You can sign out here; you will not be led back to the app.',
    forDevelopers: 'For developers',
  },
  'zh-Hant': {
    needsScript: '此頁面需要 JavaScript。請在瀏覽器中啟用後重新載入。',
    unloadedTitle: '頁面無法載入',
    unloaded: '請檢查網路後再試一次。如果仍然無法載入，請過幾分鐘再試。',
    retry: '再試一次',
    errorTitle: '無法完成操作',
    reference: '參考編號：',
    startAgain: '重新開始：',
    toAccount: '前往您的帳號',
    terms: '使用者協議',
    privacy: '隱私權政策',
    support: '客服',
    errors: {
      not_found: '找不到此頁面。',
      invalid_request: '我們無法處理應用程式傳來的請求。請返回應用程式再試一次。',
      unknown_client: '引導您前來的應用程式未在我們這裡註冊。',
      redirect_uri_mismatch: '應用程式要求返回未註冊的網址。',
      interaction_expired: '本次登入已過期。請返回應用程式重新開始。',
      interaction_elsewhere: '本次登入是在另一個瀏覽器中開始的。請在那裡繼續，或在此重新開始。',
      interaction_finished: '本次登入已完成。',
      sign_in_failed: '您尚未登入。',
      misdirected_request: '此網址不提供本服務，請檢查網址列。',
      rate_limited: '嘗試次數過多，請稍後再試。',
      unavailable: '服務暫時無法使用，請稍後再試。',
      internal_error: '服務發生問題。請再試一次；如果再次出現，請提供參考編號。',
    },
    misdirectedTitle: '此網址不屬於我們',
    servedAt: '本服務位於',
    signOutTitle: '要登出嗎？',
    signOutQuestion: '您將在此瀏覽器中登出。',
    signOut: '登出',
    staySignedIn: '保持登入',
    signingOut: '正在登出',
    signedOutTitle: '您已登出',
    signedOut: '燈已熄滅，期待再見。',
    signInAgain: '再次登入',
    signOutFaultTitle: '您仍處於登入狀態',
    signOutFault: '登出請求有誤。您可以在此登出；登出後不會返回應用程式。',
    forDevelopers: '供開發者參考',
  },
  'zh-Hans': {
    needsScript: '此页面需要 JavaScript。请在浏览器中启用后重新加载。',
    unloadedTitle: '页面无法加载',
    unloaded: '请检查网络后重试。如果仍然无法加载，请过几分钟再试。',
    retry: '重试',
    errorTitle: '无法完成操作',
    reference: '参考编号：',
    startAgain: '重新开始：',
    toAccount: '前往您的账号',
    terms: '用户协议',
    privacy: '隐私政策',
    support: '客服',
    errors: {
      not_found: '找不到此页面。',
      invalid_request: '我们无法处理应用发来的请求。请返回应用重试。',
      unknown_client: '引导您前来的应用未在我们这里注册。',
      redirect_uri_mismatch: '应用要求返回到未注册的网址。',
      interaction_expired: '本次登录已过期。请返回应用重新开始。',
      interaction_elsewhere: '本次登录是在另一个浏览器中开始的。请在那里继续，或在此重新开始。',
      interaction_finished: '本次登录已完成。',
      sign_in_failed: '您尚未登录。',
      misdirected_request: '此网址不提供本服务，请检查地址栏。',
      rate_limited: '尝试次数过多，请稍后再试。',
      unavailable: '服务暂时不可用，请稍后再试。',
      internal_error: '服务出现问题。请重试；如果再次出现，请提供参考编号。',
    },
    misdirectedTitle: '此网址不属于我们',
    servedAt: '本服务位于',
    signOutTitle: '要退出登录吗？',
    signOutQuestion: '您将在此浏览器中退出登录。',
    signOut: '退出登录',
    staySignedIn: '保持登录',
    signingOut: '正在退出登录',
    signedOutTitle: '您已退出登录',
    signedOut: '灯已熄灭，期待再见。',
    signInAgain: '再次登录',
    signOutFaultTitle: '您仍处于登录状态',
    signOutFault: '退出登录的请求有误。您可以在此退出登录；退出后不会返回应用。',
    forDevelopers: '面向开发者',
  },
  ru: {
    needsScript: 'Для этой страницы нужен JavaScript. Включите его в браузере и обновите страницу.',
    unloadedTitle: 'Страница не загрузилась',
    unloaded: 'Проверьте сеть и повторите. Если не поможет, зайдите через несколько минут.',
    retry: 'Повторить',
    errorTitle: 'Не получилось',
    reference: 'Номер обращения:',
    startAgain: 'Начать заново:',
    toAccount: 'Перейти в аккаунт',
    terms: 'Пользовательское соглашение',
    privacy: 'Политика конфиденциальности',
    support: 'Поддержка',
    errors: {
      not_found: 'Такой страницы нет.',
      invalid_request:
        'Приложение прислало запрос, на который мы не можем ответить. Вернитесь в приложение и повторите.',
      unknown_client: 'Приложение, из которого вы пришли, у нас не зарегистрировано.',
      redirect_uri_mismatch: 'Приложение просит вернуть вас по адресу, который оно не зарегистрировало.',
      interaction_expired: 'Время этого входа истекло. Вернитесь в приложение и начните заново.',
      interaction_elsewhere: 'Этот вход начат в другом браузере. Продолжите там или начните здесь заново.',
      interaction_finished: 'Этот вход уже завершён.',
      sign_in_failed: 'Вход не выполнен.',
      misdirected_request: 'Сервис не отвечает по этому адресу. Проверьте адресную строку.',
      rate_limited: 'Слишком много попыток. Подождите немного и повторите.',
      unavailable: 'Сервис сейчас недоступен. Повторите чуть позже.',
      internal_error:
        'На нашей стороне произошёл сбой. Повторите, а если он случится снова, сообщите номер обращения.',
    },
    misdirectedTitle: 'Это не наш адрес',
    servedAt: 'Адрес сервиса:',
    signOutTitle: 'Выйти?',
    signOutQuestion: 'Вы выйдете из аккаунта в этом браузере.',
    signOut: 'Выйти',
    staySignedIn: 'Не выходить',
    signingOut: 'Выполняется выход',
    signedOutTitle: 'Вы вышли из аккаунта',
    signedOut: 'Свет погашен. До встречи.',
    signInAgain: 'Войти снова',
    signOutFaultTitle: 'Вы всё ещё в аккаунте',
    signOutFault: 'В запросе на выход ошибка. Выйти можно здесь; в приложение вы после этого не вернётесь.',
    forDevelopers: 'Для разработчиков',
  },
};
