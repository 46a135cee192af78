import type { SampleContent, SampleEvents } from "./shapes/sample-event.ts";

/** https://developer.salesforce.com/docs/atlas.en-us.api.meta/api/sforce_api_om_outboundmessaging_wsdl.htm */
export const salesforceSamples: SampleEvents = [
  { type: "sf:Contact", make: (fresh) => message(notify(fresh.text(12), "Jenny")) },
];

function notify(id: string, firstName: string): string {
  return `
      <Notification>
        <Id>04l${id}AAU</Id>
        <sObject xsi:type="sf:Contact" xmlns:sf="urn:sobject.enterprise.soap.sforce.com">
          <sf:Id>0035g00000Abc12AAB</sf:Id>
          <sf:Email>jenny.rosen@example.com</sf:Email>
          <sf:FirstName>${firstName}</sf:FirstName>
          <sf:LastName>Rosen</sf:LastName>
        </sObject>
      </Notification>`;
}

function message(notifications: string): SampleContent {
  return {
    xml: `<?xml version="1.0" encoding="UTF-8"?>
<soapenv:Envelope xmlns:soapenv="http://schemas.xmlsoap.org/soap/envelope/" \
xmlns:xsd="http://www.w3.org/2001/XMLSchema" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
  <soapenv:Body>
    <notifications xmlns="http://soap.sforce.com/2005/09/outbound">
      <OrganizationId>00D5g000004XyzQEAS</OrganizationId>
      <ActionId>04k5g000000GmaAAAS</ActionId>
      <SessionId xsi:nil="true"/>
      <EnterpriseUrl>https://example.my.salesforce.com/services/Soap/c/60.0/00D5g000004Xyz</EnterpriseUrl>
      <PartnerUrl>https://example.my.salesforce.com/services/Soap/u/60.0/00D5g000004Xyz</PartnerUrl>\
${notifications}
    </notifications>
  </soapenv:Body>
</soapenv:Envelope>
`,
  };
}
