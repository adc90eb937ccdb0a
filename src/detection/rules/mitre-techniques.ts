// Names of MITRE ATT&CK for Enterprise, for showing what rules refer to by id. ATT&CK is a trademark of The MITRE
// Corporation; its ids and names are used with attribution, as its terms of use allow. A line is: id, name, tactics by
// their letters, then the names of the sub-techniques from .001 on, with nothing between the bars where a number has gone.

export const TACTICS: Readonly<Record<string, readonly [id: string, name: string]>> = {
  RE: ['TA0043', 'Reconnaissance'],
  RD: ['TA0042', 'Resource Development'],
  IA: ['TA0001', 'Initial Access'],
  EX: ['TA0002', 'Execution'],
  PE: ['TA0003', 'Persistence'],
  PR: ['TA0004', 'Privilege Escalation'],
  DE: ['TA0005', 'Defense Evasion'],
  CA: ['TA0006', 'Credential Access'],
  DI: ['TA0007', 'Discovery'],
  LM: ['TA0008', 'Lateral Movement'],
  CO: ['TA0009', 'Collection'],
  CC: ['TA0011', 'Command and Control'],
  EF: ['TA0010', 'Exfiltration'],
  IM: ['TA0040', 'Impact'],
};

export const TECHNIQUES = `
T1001|Data Obfuscation|CC|Junk Data|Steganography|Protocol or Service Impersonation
T1003|OS Credential Dumping|CA|LSASS Memory|Security Account Manager|NTDS|LSA Secrets|Cached Domain Credentials|DCSync|Proc Filesystem|/etc/passwd and /etc/shadow
T1005|Data from Local System|CO
T1006|Direct Volume Access|DE
T1007|System Service Discovery|DI
T1008|Fallback Channels|CC
T1010|Application Window Discovery|DI
T1011|Exfiltration Over Other Network Medium|EF|Exfiltration Over Bluetooth
T1012|Query Registry|DI
T1014|Rootkit|DE
T1016|System Network Configuration Discovery|DI|Internet Connection Discovery|Wi-Fi Discovery
T1018|Remote System Discovery|DI
T1020|Automated Exfiltration|EF|Traffic Duplication
T1021|Remote Services|LM|Remote Desktop Protocol|SMB/Windows Admin Shares|Distributed Component Object Model|SSH|VNC|Windows Remote Management|Cloud Services|Direct Cloud VM Connections
T1025|Data from Removable Media|CO
T1027|Obfuscated Files or Information|DE|Binary Padding|Software Packing|Steganography|Compile After Delivery|Indicator Removal from Tools|HTML Smuggling|Dynamic API Resolution|Stripped Payloads|Embedded Payloads|Command Obfuscation|Fileless Storage|LNK Icon Smuggling|Encrypted/Encoded File|Polymorphic Code
T1029|Scheduled Transfer|EF
T1030|Data Transfer Size Limits|EF
T1033|System Owner/User Discovery|DI
T1036|Masquerading|DE|Invalid Code Signature|Right-to-Left Override|Rename System Utilities|Masquerade Task or Service|Match Legitimate Name or Location|Space after Filename|Double File Extension|Masquerade File Type|Break Process Trees|Masquerade Account Name
T1037|Boot or Logon Initialization Scripts|PE,PR|Logon Script (Windows)|Login Hook|Network Logon Script|RC Scripts|Startup Items
T1039|Data from Network Shared Drive|CO
T1040|Network Sniffing|CA,DI
T1041|Exfiltration Over C2 Channel|EF
T1046|Network Service Discovery|DI
T1047|Windows Management Instrumentation|EX
T1048|Exfiltration Over Alternative Protocol|EF|Exfiltration Over Symmetric Encrypted Non-C2 Protocol|Exfiltration Over Asymmetric Encrypted Non-C2 Protocol|Exfiltration Over Unencrypted Non-C2 Protocol
T1049|System Network Connections Discovery|DI
T1052|Exfiltration Over Physical Medium|EF|Exfiltration over USB
T1053|Scheduled Task/Job|EX,PE,PR||At|Cron||Scheduled Task|Systemd Timers|Container Orchestration Job
T1055|Process Injection|DE,PR|Dynamic-link Library Injection|Portable Executable Injection|Thread Execution Hijacking|Asynchronous Procedure Call|Thread Local Storage|||Ptrace System Calls|Proc Memory||Extra Window Memory Injection|Process Hollowing|Process Doppelgänging|VDSO Hijacking|ListPlanting
T1056|Input Capture|CO,CA|Keylogging|GUI Input Capture|Web Portal Capture|Credential API Hooking
T1057|Process Discovery|DI
T1059|Command and Scripting Interpreter|EX|PowerShell|AppleScript|Windows Command Shell|Unix Shell|Visual Basic|Python|JavaScript|Network Device CLI|Cloud API|AutoHotKey & AutoIT|Lua
T1068|Exploitation for Privilege Escalation|PR
T1069|Permission Groups Discovery|DI|Local Groups|Domain Groups|Cloud Groups
T1070|Indicator Removal|DE|Clear Windows Event Logs|Clear Linux or Mac System Logs|Clear Command History|File Deletion|Network Share Connection Removal|Timestomp|Clear Network Connection History and Configurations|Clear Mailbox Data|Clear Persistence|Relocate Malware
T1071|Application Layer Protocol|CC|Web Protocols|File Transfer Protocols|Mail Protocols|DNS|Publish/Subscribe Protocols
T1072|Software Deployment Tools|EX,LM
T1074|Data Staged|CO|Local Data Staging|Remote Data Staging
T1078|Valid Accounts|DE,PE,PR,IA|Default Accounts|Domain Accounts|Local Accounts|Cloud Accounts
T1080|Taint Shared Content|LM
T1082|System Information Discovery|DI
T1083|File and Directory Discovery|DI
T1087|Account Discovery|DI|Local Account|Domain Account|Email Account|Cloud Account
T1090|Proxy|CC|Internal Proxy|External Proxy|Multi-hop Proxy|Domain Fronting
T1091|Replication Through Removable Media|LM,IA
T1092|Communication Through Removable Media|CC
T1095|Non-Application Layer Protocol|CC
T1098|Account Manipulation|PE,PR|Additional Cloud Credentials|Additional Email Delegate Permissions|Additional Cloud Roles|SSH Authorized Keys|Device Registration|Additional Container Cluster Roles|Additional Local or Domain Groups
T1102|Web Service|CC|Dead Drop Resolver|Bidirectional Communication|One-Way Communication
T1104|Multi-Stage Channels|CC
T1105|Ingress Tool Transfer|CC
T1106|Native API|EX
T1110|Brute Force|CA|Password Guessing|Password Cracking|Password Spraying|Credential Stuffing
T1111|Multi-Factor Authentication Interception|CA
T1112|Modify Registry|DE
T1113|Screen Capture|CO
T1114|Email Collection|CO|Local Email Collection|Remote Email Collection|Email Forwarding Rule
T1115|Clipboard Data|CO
T1119|Automated Collection|CO
T1120|Peripheral Device Discovery|DI
T1123|Audio Capture|CO
T1124|System Time Discovery|DI
T1125|Video Capture|CO
T1127|Trusted Developer Utilities Proxy Execution|DE|MSBuild|ClickOnce
T1129|Shared Modules|EX
T1132|Data Encoding|CC|Standard Encoding|Non-Standard Encoding
T1133|External Remote Services|PE,IA
T1134|Access Token Manipulation|DE,PR|Token Impersonation/Theft|Create Process with Token|Make and Impersonate Token|Parent PID Spoofing|SID-History Injection
T1135|Network Share Discovery|DI
T1136|Create Account|PE|Local Account|Domain Account|Cloud Account
T1137|Office Application Startup|PE|Office Template Macros|Office Test|Outlook Forms|Outlook Home Page|Outlook Rules|Add-ins
T1140|Deobfuscate/Decode Files or Information|DE
T1176|Browser Extensions|PE
T1185|Browser Session Hijacking|CO
T1187|Forced Authentication|CA
T1189|Drive-by Compromise|IA
T1190|Exploit Public-Facing Application|IA
T1195|Supply Chain Compromise|IA|Compromise Software Dependencies and Development Tools|Compromise Software Supply Chain|Compromise Hardware Supply Chain
T1197|BITS Jobs|DE,PE
T1199|Trusted Relationship|IA
T1200|Hardware Additions|IA
T1201|Password Policy Discovery|DI
T1202|Indirect Command Execution|DE
T1203|Exploitation for Client Execution|EX
T1204|User Execution|EX|Malicious Link|Malicious File|Malicious Image
T1205|Traffic Signaling|DE,PE,CC|Port Knocking|Socket Filters
T1207|Rogue Domain Controller|DE
T1210|Exploitation of Remote Services|LM
T1211|Exploitation for Defense Evasion|DE
T1212|Exploitation for Credential Access|CA
T1213|Data from Information Repositories|CO|Confluence|Sharepoint|Code Repositories|Customer Relationship Management Software|Messaging Applications
T1216|System Script Proxy Execution|DE|PubPrn|SyncAppvPublishingServer
T1217|Browser Information Discovery|DI
T1218|System Binary Proxy Execution|DE|Compiled HTML File|Control Panel|CMSTP|InstallUtil|Mshta||Msiexec|Odbcconf|Regsvcs/Regasm|Regsvr32|Rundll32|Verclsid|Mavinject|MMC|Electron Applications
T1219|Remote Access Software|CC
T1220|XSL Script Processing|DE
T1221|Template Injection|DE
T1222|File and Directory Permissions Modification|DE|Windows File and Directory Permissions Modification|Linux and Mac File and Directory Permissions Modification
T1480|Execution Guardrails|DE|Environmental Keying|Mutual Exclusion
T1482|Domain Trust Discovery|DI
T1484|Domain or Tenant Policy Modification|DE,PR|Group Policy Modification|Trust Modification
T1485|Data Destruction|IM|Lifecycle-Triggered Deletion
T1486|Data Encrypted for Impact|IM
T1489|Service Stop|IM
T1490|Inhibit System Recovery|IM
T1491|Defacement|IM|Internal Defacement|External Defacement
T1495|Firmware Corruption|IM
T1496|Resource Hijacking|IM|Compute Hijacking|Bandwidth Hijacking|SMS Pumping|Cloud Service Hijacking
T1497|Virtualization/Sandbox Evasion|DE,DI|System Checks|User Activity Based Checks|Time Based Evasion
T1498|Network Denial of Service|IM|Direct Network Flood|Reflection Amplification
T1499|Endpoint Denial of Service|IM|OS Exhaustion Flood|Service Exhaustion Flood|Application Exhaustion Flood|Application or System Exploitation
T1505|Server Software Component|PE|SQL Stored Procedures|Transport Agent|Web Shell|IIS Components|Terminal Services DLL
T1518|Software Discovery|DI|Security Software Discovery
T1525|Implant Internal Image|PE
T1526|Cloud Service Discovery|DI
T1528|Steal Application Access Token|CA
T1529|System Shutdown/Reboot|IM
T1530|Data from Cloud Storage|CO
T1531|Account Access Removal|IM
T1534|Internal Spearphishing|LM
T1535|Unused/Unsupported Cloud Regions|DE
T1537|Transfer Data to Cloud Account|EF
T1538|Cloud Service Dashboard|DI
T1539|Steal Web Session Cookie|CA
T1542|Pre-OS Boot|DE,PE|System Firmware|Component Firmware|Bootkit|ROMMONkit|TFTP Boot
T1543|Create or Modify System Process|PE,PR|Launch Agent|Systemd Service|Windows Service|Launch Daemon|Container Service
T1546|Event Triggered Execution|PE,PR|Change Default File Association|Screensaver|Windows Management Instrumentation Event Subscription|Unix Shell Configuration Modification|Trap|LC_LOAD_DYLIB Addition|Netsh Helper DLL|Accessibility Features|AppCert DLLs|AppInit DLLs|Application Shimming|Image File Execution Options Injection|PowerShell Profile|Emond|Component Object Model Hijacking|Installer Packages|Udev Rules
T1547|Boot or Logon Autostart Execution|PE,PR|Registry Run Keys / Startup Folder|Authentication Package|Time Providers|Winlogon Helper DLL|Security Support Provider|Kernel Modules and Extensions|Re-opened Applications|LSASS Driver|Shortcut Modification|Port Monitors||Print Processors|XDG Autostart Entries|Active Setup|Login Items
T1548|Abuse Elevation Control Mechanism|DE,PR|Setuid and Setgid|Bypass User Account Control|Sudo and Sudo Caching|Elevated Execution with Prompt|Temporary Elevated Cloud Access|TCC Manipulation
T1550|Use Alternate Authentication Material|DE,LM|Application Access Token|Pass the Hash|Pass the Ticket|Web Session Cookie
T1552|Unsecured Credentials|CA|Credentials In Files|Credentials in Registry|Bash History|Private Keys|Cloud Instance Metadata API|Group Policy Preferences|Container API|Chat Messages
T1553|Subvert Trust Controls|DE|Gatekeeper Bypass|Code Signing|SIP and Trust Provider Hijacking|Install Root Certificate|Mark-of-the-Web Bypass|Code Signing Policy Modification
T1554|Compromise Host Software Binary|PE
T1555|Credentials from Password Stores|CA|Keychain|Securityd Memory|Credentials from Web Browsers|Windows Credential Manager|Password Managers|Cloud Secrets Management Stores
T1556|Modify Authentication Process|CA,DE,PE|Domain Controller Authentication|Password Filter DLL|Pluggable Authentication Modules|Network Device Authentication|Reversible Encryption|Multi-Factor Authentication|Hybrid Identity|Network Provider DLL|Conditional Access Policies
T1557|Adversary-in-the-Middle|CO,CA|LLMNR/NBT-NS Poisoning and SMB Relay|ARP Cache Poisoning|DHCP Spoofing|Evil Twin
T1558|Steal or Forge Kerberos Tickets|CA|Golden Ticket|Silver Ticket|Kerberoasting|AS-REP Roasting|Ccache Files
T1559|Inter-Process Communication|EX|Component Object Model|Dynamic Data Exchange|XPC Services
T1560|Archive Collected Data|CO|Archive via Utility|Archive via Library|Archive via Custom Method
T1561|Disk Wipe|IM|Disk Content Wipe|Disk Structure Wipe
T1562|Impair Defenses|DE|Disable or Modify Tools|Disable Windows Event Logging|Impair Command History Logging|Disable or Modify System Firewall||Indicator Blocking|Disable or Modify Cloud Firewall|Disable or Modify Cloud Logs|Safe Mode Boot|Downgrade Attack|Spoof Security Alerting|Disable or Modify Linux Audit System
T1563|Remote Service Session Hijacking|LM|SSH Hijacking|RDP Hijacking
T1564|Hide Artifacts|DE|Hidden Files and Directories|Hidden Users|Hidden Window|NTFS File Attributes|Hidden File System|Run Virtual Instance|VBA Stomping|Email Hiding Rules|Resource Forking|Process Argument Spoofing|Ignore Process Interrupts|File/Path Exclusions
T1565|Data Manipulation|IM|Stored Data Manipulation|Transmitted Data Manipulation|Runtime Data Manipulation
T1566|Phishing|IA|Spearphishing Attachment|Spearphishing Link|Spearphishing via Service|Spearphishing Voice
T1567|Exfiltration Over Web Service|EF|Exfiltration to Code Repository|Exfiltration to Cloud Storage|Exfiltration to Text Storage Sites|Exfiltration Over Webhook
T1568|Dynamic Resolution|CC|Fast Flux DNS|Domain Generation Algorithms|DNS Calculation
T1569|System Services|EX|Launchctl|Service Execution
T1570|Lateral Tool Transfer|LM
T1571|Non-Standard Port|CC
T1572|Protocol Tunneling|CC
T1573|Encrypted Channel|CC|Symmetric Cryptography|Asymmetric Cryptography
T1574|Hijack Execution Flow|DE,PE,PR|DLL Search Order Hijacking|DLL Side-Loading||Dylib Hijacking|Executable Installer File Permissions Weakness|Dynamic Linker Hijacking|Path Interception by PATH Environment Variable|Path Interception by Search Order Hijacking|Path Interception by Unquoted Path|Services File Permissions Weakness|Services Registry Permissions Weakness|COR_PROFILER|KernelCallbackTable|AppDomainManager
T1578|Modify Cloud Compute Infrastructure|DE|Create Snapshot|Create Cloud Instance|Delete Cloud Instance|Revert Cloud Instance|Modify Cloud Compute Configurations
T1580|Cloud Infrastructure Discovery|DI
T1583|Acquire Infrastructure|RD|Domains|DNS Server|Virtual Private Server|Server|Botnet|Web Services|Serverless|Malvertising
T1584|Compromise Infrastructure|RD|Domains|DNS Server|Virtual Private Server|Server|Botnet|Web Services|Serverless|Network Devices
T1585|Establish Accounts|RD|Social Media Accounts|Email Accounts|Cloud Accounts
T1586|Compromise Accounts|RD|Social Media Accounts|Email Accounts|Cloud Accounts
T1587|Develop Capabilities|RD|Malware|Code Signing Certificates|Digital Certificates|Exploits
T1588|Obtain Capabilities|RD|Malware|Tool|Code Signing Certificates|Digital Certificates|Exploits|Vulnerabilities|Artificial Intelligence
T1589|Gather Victim Identity Information|RE|Credentials|Email Addresses|Employee Names
T1590|Gather Victim Network Information|RE|Domain Properties|DNS|Network Trust Dependencies|Network Topology|IP Addresses|Network Security Appliances
T1591|Gather Victim Org Information|RE|Determine Physical Locations|Business Relationships|Identify Business Tempo|Identify Roles
T1592|Gather Victim Host Information|RE|Hardware|Software|Firmware|Client Configurations
T1593|Search Open Websites/Domains|RE|Social Media|Search Engines|Code Repositories
T1594|Search Victim-Owned Websites|RE
T1595|Active Scanning|RE|Scanning IP Blocks|Vulnerability Scanning|Wordlist Scanning
T1596|Search Open Technical Databases|RE|DNS/Passive DNS|WHOIS|Digital Certificates|CDNs|Scan Databases
T1597|Search Closed Sources|RE|Threat Intel Vendors|Purchase Technical Data
T1598|Phishing for Information|RE|Spearphishing Service|Spearphishing Attachment|Spearphishing Link|Spearphishing Voice
T1599|Network Boundary Bridging|DE|Network Address Translation Traversal
T1600|Weaken Encryption|DE|Reduce Key Space|Disable Crypto Hardware
T1601|Modify System Image|DE|Patch System Image|Downgrade System Image
T1602|Data from Configuration Repository|CO|SNMP (MIB Dump)|Network Device Configuration Dump
T1606|Forge Web Credentials|CA|Web Cookies|SAML Tokens
T1608|Stage Capabilities|RD|Upload Malware|Upload Tool|Install Digital Certificate|Drive-by Target|Link Target|SEO Poisoning
T1609|Container Administration Command|EX
T1610|Deploy Container|DE,EX
T1611|Escape to Host|PR
T1612|Build Image on Host|DE
T1613|Container and Resource Discovery|DI
T1614|System Location Discovery|DI|System Language Discovery
T1615|Group Policy Discovery|DI
T1619|Cloud Storage Object Discovery|DI
T1620|Reflective Code Loading|DE
T1621|Multi-Factor Authentication Request Generation|CA
T1622|Debugger Evasion|DE,DI
T1647|Plist File Modification|DE
T1648|Serverless Execution|EX
T1649|Steal or Forge Authentication Certificates|CA
T1650|Acquire Access|RD
T1651|Cloud Administration Command|EX
T1652|Device Driver Discovery|DI
T1653|Power Settings|PE
T1654|Log Enumeration|DI
T1656|Impersonation|DE
T1657|Financial Theft|IM
T1659|Content Injection|IA,CC
T1665|Hide Infrastructure|CC
T1666|Modify Cloud Resource Hierarchy|DE
`;
