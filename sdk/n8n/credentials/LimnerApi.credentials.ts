import type { IAuthenticateGeneric, ICredentialTestRequest, ICredentialType, INodeProperties } from 'n8n-workflow';

/** An API key, and the service that it is for. */
export class LimnerApi implements ICredentialType {
  name = 'limnerApi';
  displayName = 'Limner API';
  properties: INodeProperties[] = [
    {
      displayName: 'Base URL',
      name: 'baseUrl',
      type: 'string',
      default: '',
      required: true,
      placeholder: 'https://limner.example.com',
      description: 'URL of the service',
    },
    {
      displayName: 'API Key',
      name: 'apiKey',
      type: 'string',
      typeOptions: { password: true },
      default: '',
      required: true,
      description: 'A key of the console',
    },
  ];
  authenticate: IAuthenticateGeneric = {
    type: 'generic',
    properties: { headers: { Authorization: '=Bearer {{ $credentials.apiKey }}' } },
  };
  test: ICredentialTestRequest = {
    request: { baseURL: '={{ $credentials.baseUrl.replace(/\\/+(v1\\/*)?$/, "") }}/v1', url: '/usage', qs: { limit: 1 } },
  };
}
