/**
 * Names of arguments with which clients of model providers are told where a request goes and who
 * sends it. Without their spelling: `base_url`, `baseURL` and `BASE-URL` are all `baseurl`.
 */

/** Never a part of what a model is asked, wherever it stands. */
const everywhere = new Set(
  `adtoken apibase apihost apiroot apiurl baseaddress basepath baseuri baseurl basicauth bearer
  clientargs clientconfig clientid clientoptions clientsettings connectionstring credential
  credentials customfetch dispatcher fetch fetchfn fetchimplementation fetchoptions
  gateway googleapplicationcredentials googleauth googleauthoptions googlecloudlocation
  googlecloudproject googleprojectid hftoken hostheader httpagent httpclient httphandler httpoptions httpsagent
  idtoken managedidentity noproxy organization organizationid orgid passphrase password privatekey
  projectid proxies proxysettings quotaproject quotaprojectid rejectunauthorized requestoptions
  secret secrets serverindex serviceaccount serviceaccountjson sessionname signer
  socketpath strictssl tenantid tlsoptions tokenprovider transport transporter transportoptions
  unixsocket userproject verifyssl webhook wsurl xapikey`.split(/\s+/),
);

/** Says so only where the parameters of a model stand: deeper in, it may be anything's name. */
const amongParameters = new Set(
  `abortsignal account accountid agent apiversion auth authentication ca cert certificate client
  cookie cookies deployment deploymentid deploymentname domain host hostname key location
  maxretries method origin path pathname port project protocol referer referrer region resource
  resourcename retries retryconfig retryoptions retrypolicy scheme scopes server signal ssl tenant
  timeout timeoutms timeouts tls token uri url username verify`.split(/\s+/),
);

/** `openai_api_key`, `anthropic_base_url`, `extra_headers`, `callback_url`, ... */
const endings =
  /(?:accesskey(?:id)?|apibase|apikeys?|apisecret|(?:access|api|auth|authorization|bearer|identity|refresh|security|session)token|authorization|base(?:url|uri)|(?:api|callback|endpoint|gateway|host|origin|proxy|request|server|service|target|webhook|websocket)ur[il]|endpoint(?:override)?|headers?|proxy|(?:default|extra|url)query|(?:query|url)param(?:eter)?s|regionname|secret|secretkey|serviceaccountkey)$/;

/** Settings of a cloud: `aws_region`, `azure_deployment`, `vertex_project`, ... */
const beginnings = /^(?:aws|azure|vertex(?:ai)?(?=.))/;

/** A name without its spelling, also when it is written with letters that only look wider. */
export const unspelled = (name: string): string =>
  name
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^a-z\d]/g, '');

/** `isParameter`: the name stands where the parameters of a model do. */
export function isSteering(name: string, isParameter: boolean): boolean {
  const plain = unspelled(name);
  return (
    everywhere.has(plain) ||
    endings.test(plain) ||
    beginnings.test(plain) ||
    (isParameter && (amongParameters.has(plain) || /token$|secret|host(?:name)?$/.test(plain)))
  );
}

/** More parameters stand in these: what clients of providers call their options. */
const holders = new Set(
  `additionalmodelrequestfields additionalparameters additionalparams args config configuration
  extra extraargs extrabody extraoptions extraparams generateconfig generatecontentconfig
  generationconfig inferenceconfig kwargs modelargs modelkwargs modelparameters options
  parameters params settings`.split(/\s+/),
);

export const holdsParameters = (name: string): boolean => holders.has(unspelled(name));

/**
 * What a model is asked, with names of the author's own in it: a tool may well take a `region`, a
 * schema have a `base_url`. Nothing in here is ever read to find the way.
 */
const contents = new Set(
  `cachedcontent chattemplatekwargs connectors container content contents contextmanagement
  conversation datasources documents format frameimages functioncall functions guidedjson history image
  images input inputreferences jsonschema labels logitbias mcpservers message messages metadata
  outputformat plugins prediction prompt promptvariables requestmetadata responseformat
  responsejsonschema responseschema schema searchparameters structuredoutputs system
  systeminstruction text tool toolchoice toolconfig tools toolresources variables websearch
  websearchoptions`.split(/\s+/),
);

export const isContent = (name: string): boolean => contents.has(unspelled(name));
