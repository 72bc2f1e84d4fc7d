import type { LanguageTexts } from '../texts.ts';
import { client } from './client.ts';
import { clientErrors } from './client-errors.ts';
import { documentation } from './documentation.ts';
import { linkCheck } from './link-check.ts';
import { overview } from './overview.ts';
import { signals } from './signals.ts';
import { trial } from './trial.ts';
import { trouble } from './trouble.ts';
import { snippets, usage } from './usage.ts';

export const developers: LanguageTexts['developers'] = {
  developers: {
    title: '开发者',
    text: '您在 {{brand}} 注册的应用。',
    register: '注册应用',
    noToken: '尚未签发令牌',
    lastToken: '最近一次令牌：{{when}}',
    errorsToday_other: '今天 {{count}} 个错误',
    secretEnds: '有密钥到期：{{when}}',
    disabled: '已停用',
    empty: {
      title: '注册您的第一个应用',
      text: '请从最接近的一种开始。',
      web: {
        title: '网站应用',
        text: '在您自己的服务器上运行。',
        needs: '需要：用户返回的网址。开发时使用 http://localhost 即可。',
      },
      device: {
        title: '设备上的应用',
        text: '没有浏览器的灯、音箱或电视。',
        needs: '需要：仅一个名称。用户在手机上输入代码确认。',
      },
      voice: {
        title: '语音助手',
        text: '用户通过语音控制灯光。',
        needs: '需要：您的 Alexa 供应商 ID，或 Google Home 项目 ID。',
      },
    },
    notAllowed: {
      title: '您的账号还不能注册应用',
      text: '{{brand}} 逐一开通开发者。请联系客服，说明您要开发的内容，并提供此账号的手机号或邮箱。',
      ask: '联系客服',
    },
    access: {
      text: '{{brand}} 逐一开通开发者。请说明您要开发的内容，系统会发消息告知结果。',
      why: '您要开发什么？',
      hint: '一句话即可。',
      ask: '申请权限',
      blank: '请说明您要开发的内容',
      long: '最多 500 个字符',
      waiting: '您已申请权限',
      waitingText: '申请日期：{{when}}。系统会发消息告知结果。',
      refused: '您的申请未通过',
      refusedText: '{{when}} 起可以再次申请。',
    },
    stronger: {
      title: '请用第二步验证登录',
      text: '{{brand}} 要求使用第二步验证或通行密钥登录后，才能查看和修改应用。如果您的账号两者都没有，请先添加。',
      signIn: '重新登录',
      account: '前往我的账号',
    },
    reference: {
      label: '错误编号',
      hint: '每个错误页面和每个被拒绝的请求都有编号。输入您的应用的错误编号，即可查看详情。',
      find: '查找错误',
      none: '您的应用都没有此编号的错误。新的错误可能要过几秒才会出现在这里。错误只保留 7 天。',
    },
  },
  presets: {
    web: { name: '网站应用', text: '在服务器上运行，由服务器保管密钥。' },
    spa: { name: '浏览器应用', text: '只在浏览器中运行，因此没有密钥。' },
    native: { name: '手机或电脑应用', text: '由用户安装，因此没有密钥。' },
    device: { name: '设备上的应用', text: '没有浏览器，用户在手机上输入代码确认。' },
    alexa: { name: 'Alexa 技能', text: '亚马逊的语音助手。' },
    'google-home': { name: 'Google Home 集成', text: 'Google 的语音助手和家庭应用。' },
    'home-assistant': { name: 'Home Assistant 集成', text: '用户自己家中的控制中心。' },
    alice: { name: 'Alice 技能', text: 'Yandex 的语音助手。' },
    salute: { name: 'Salute 集成', text: 'Sber 的语音助手。' },
    'tmall-genie': { name: '天猫精灵技能', text: '阿里巴巴的语音助手（AliGenie）。' },
    xiaodu: { name: '小度技能', text: '百度的语音助手（DuerOS）。' },
    smartthings: { name: 'SmartThings 集成', text: '三星的家庭应用。' },
    ifttt: { name: 'IFTTT 服务', text: '在不同服务之间实现自动化。' },
    'aws-iot': { name: 'AWS IoT 连接器', text: '使用 AWS IoT 托管集成的平台。' },
    machine: { name: '服务端程序（M2M）', text: '无需用户参与，自行运行。' },
    fapi: { name: '签名请求的应用', text: '在服务器上运行，使用自己的私钥签名。' },
    other: { name: '应用', text: '注册时没有指定类型。' },
  },
  newClient: {
    title: '注册应用',
    text: '回答三个问题即可。除第一项外，以后都可以修改。',
    kind: '这是哪一种应用？',
    platform: '还是把家庭连接到某个平台？',
    name: '应用名称',
    nameHint: '用户在授权时会看到这个名称。',
    where: '用户返回到哪里？',
    nowhere: '这种应用无需返回网址，不必填写。',
    uris: '返回网址',
    urisHint: '须与应用发送的网址完全一致。开发时也可以使用 http://localhost。',
    urisOfNative:
      '以 https:// 开头的网址、自己的协议名（如 com.example.app:/callback），或 http://127.0.0.1。',
    urisOfPlatform: '所有用户都从该平台返回到此网址。已为您填好，以后可以修改。',
    urisFromPlatform: '您在平台上设置应用时，平台会显示此网址。',
    vendor: 'Alexa 供应商 ID',
    vendorHint: '在 Alexa 开发者控制台，账号关联的每个重定向网址都以它结尾。',
    project: 'Google Home 项目 ID',
    projectHint: '在 Google Home 开发者控制台，位于项目名称下方。',
    service: 'IFTTT 服务 ID',
    serviceHint: '在 IFTTT 平台控制台，位于您的服务标签页。',
    submit: '注册',
  },
  madeSecret: {
    title: '{{app}} 的密钥',
    titleOf: '{{app}} 的新密钥：{{name}}',
    text: '请复制到应用的运行环境中。关闭后不会再次显示。',
    download: '下载 .env 文件',
    done: '完成',
    askTitle: '密钥保存好了吗？',
    askText: '密钥不会再次显示。如果丢失，只能添加新的密钥。',
    back: '再看一次',
    kept: '已保存',
  },
  client,
  linkCheck,
  overview,
  signals,
  documentation,
  errors: clientErrors,
  trial,
  trouble,
  usage,
  snippets,
};
