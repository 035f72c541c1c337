#include "libcore/math/low_discrepancy.hpp"

#include "libcore/base/error.hpp"
#include "libcore/base/index.hpp"

#include <bit>
#include <string_view>

namespace logpx {
namespace {

// The direction numbers new-joe-kuo-6 of S. Joe and F. Y. Kuo, "Constructing Sobol sequences with
// better two-dimensional projections", SIAM J. Sci. Comput. 30 (2008), for dimensions 1 .. 1023. Of
// each m_i, i = 0 .. degree - 1, the i bits between its top and its last, which is 1; a dimension's
// bits are one hexadecimal number, filled with zeros in front to whole digits. Degrees are those of
// the primitive polynomials in rising order. The numbers come with this licence:
//
//   Copyright (c) 2008, Frances Y. Kuo and Stephen Joe
//   All rights reserved.
//
//   Redistribution and use in source and binary forms, with or without modification, are permitted
//   provided that the following conditions are met:
//
//   * Redistributions of source code must retain the above copyright notice, this list of
//     conditions and the following disclaimer.
//
//   * Redistributions in binary form must reproduce the above copyright notice, this list of
//     conditions and the following disclaimer in the documentation and/or other materials provided
//     with the distribution.
//
//   * Neither the names of the copyright holders nor the names of the University of New South Wales
//     and the University of Waikato and its contributors may be used to endorse or promote products
//     derived from this software without specific prior written permission.
//
//   THIS SOFTWARE IS PROVIDED BY THE COPYRIGHT HOLDERS ``AS IS'' AND ANY EXPRESS OR IMPLIED
//   WARRANTIES, INCLUDING, BUT NOT LIMITED TO, THE IMPLIED WARRANTIES OF MERCHANTABILITY AND
//   FITNESS FOR A PARTICULAR PURPOSE ARE DISCLAIMED. IN NO EVENT SHALL THE COPYRIGHT HOLDERS BE
//   LIABLE FOR ANY DIRECT, INDIRECT, INCIDENTAL, SPECIAL, EXEMPLARY, OR CONSEQUENTIAL DAMAGES
//   (INCLUDING, BUT NOT LIMITED TO, PROCUREMENT OF SUBSTITUTE GOODS OR SERVICES; LOSS OF USE, DATA,
//   OR PROFITS; OR BUSINESS INTERRUPTION) HOWEVER CAUSED AND ON ANY THEORY OF LIABILITY, WHETHER IN
//   CONTRACT, STRICT LIABILITY, OR TORT (INCLUDING NEGLIGENCE OR OTHERWISE) ARISING IN ANY WAY OUT
//   OF THE USE OF THIS SOFTWARE, EVEN IF ADVISED OF THE POSSIBILITY OF SUCH DAMAGE.
constexpr std::string_view packed_numbers =
    "14009361281221d910001532f58780f4a4db80e624ecc253e1ed9f31f31e2071c5f1a031a132475116f8f0acd1e188"
    "9a20f02401d325d0663941b581b1cb7481096a2095c060d87bd0e3798150ed09fccc7adffafb0954b37c976b1847e8"
    "b416e71f027824a0e6525474ef42165ca5c93a3f5e7d8d215f87006eae58ee109238b7feea296ad42cb90bd6efb441"
    "b04220a26582ab8b0e7b3f91550fb45b551d873b55e6ca03bfefd34c46e06cfbef295bced8c503b2e9ab8016b5f7c9"
    "27546e27a14a0d401417ac707dedc12a0ca053bcc37ff3a0bf62d3f2413ebf764ede979905635d5bf5080c368ac3c3"
    "9c831094eb4675781dafff18c77da55984402e7c4a28b83864f14cba4670ab7be3287d170c9d3962edf23d12ac5a36"
    "257ccb0bce2e50c78de09e669ac070021248bd9dea706f1665b541d7a4a25e1aead1a99d9431503784eff3885e6a61"
    "372296cba5a5b87cc6ea0feef4944b3a6cafa483d49139092e2dee50d14dffe86f311a0ebf8d92b0725c3e16a7b1f4"
    "984420970194f43293f5208ffc72acf8a0e34c12ff05411d230139fc41c0be36ea43f0a87a976cba7172789602e110"
    "dbb9f5fa0ea12612338d4c01b7df23826aa04ff3ead6d131c37219dc36101d1b459ade20a4656769c461db5ad08817"
    "21c5f218c971d06c5ee6b764e152a9532a9c908bef243c7381a02ce2f59291d960e9b432615953f3d05661dc2fa428"
    "1f8072ccace7a9806706f2ee6241203ba15b8811354fed3b7690cc7f95831821f2c326a3e2409371f87b45805efee2"
    "fa0f1045b80be300b07e6c464db2f119a59fb889914e6c84b50010362202ddece0dee31a0d56b18589528fbac15af9"
    "3577fa107b0ce07f9cd1c13d79dbcfa05854492732e17103bd3c7f4053241f24ba51d826df96526020336c516cd13d"
    "f1d86be250bf293fd7eae154d9e96c7ea1b27b58c8c0012eb2a6935e916c8f9df5c150e54fd1513cf0f3d17f32eda0"
    "198476399675fb8e1e9c084ea7a2baea1dbc4632e68db92c9a9722ca8321e4c5acc401e875af7626d3d101376b1b34"
    "71ba11d7176c20c7794f08dd2f70558b15b33c0101d46390ec0d79c2c15a0e39cadedae5f8e0bfa2ef7f740c4db068"
    "8bc08382338a21e8db13998f761c7186b33675613628dc212da7def758eb51e6e95dad7787b0bacda5c28c6da7e426"
    "a402daaee70958f9274bf955d80086f5ab83f0172137437034a13ee644cdc53d8745b209f6d3efc30115c6ed317313"
    "2cb561d1914c2728cb466b1b50014ceef24513bfd63dc18429dc60355cabc6bfd4efd7e822918f782586cfc41772ec"
    "46f0f15fef90962180f632b192a4b257cf32a5105c89f7b66c964540d637f2dab2ee0c3b343cc2a68297c6235a5a19"
    "725474b45828300a46d8644a7e1366d6e2b18baeea8da50fe00b3e22a92b5297a88c831428b624155e421c71542328"
    "ceb127baced48aa733f94cb3e37bb637960aaf9233458cefa56a54c10ea3ce1761836458185e2f2ee4151bd01882e6"
    "b2832be99cb51b15c1236f1454d821a1ec7a6b79018079fc693d6323b2ab56d011a34882481cbed8af7250f5fa988c"
    "5da9b2da4f0abfd949045a923793476c322ddfbeb0c4f645ecd61a61795796f7545aefdf47e6b41209fc32d313cefe"
    "0405bf7e53e273e66989cfb392c2eafe737e2294df37a10ad5c2489d58cfdfada132c0592adb05d10cba97489a0120"
    "f8c9bf5376618190e6cbbfa63fa59df119fa756f97e6fb2bdc2a5297d828f3beadd4c534c94887a832108a080102a9"
    "10b232620adebc8bf6cc4aa4fa6263640594a030a537b1f3c76d71d73f871a482451178644feb241794890d3ca7814"
    "ae69d9f667b903cbbffb8686a583e33012a73669377fee6781a1992e0879ed0593d289d48484731f02699d4f53f024"
    "6754d8abbd705216a1186bdeb4c94b5a2b0c1382278e61119ce1335155cb7c4457a6f5ef6fbe03d3b790316e1f953c"
    "f2ca510c070f98b0ff41a9c43581c63a347410212b84de96a3a1811fe3de2e6623f79372b89387ca75cdd5545fd477"
    "8315d1b8fc04b0e196025e5973b16ebfa0a8b3b9cc822ec2ab5dfa4cc1675340ad7955f486c0a2afa0e54aede64934"
    "146112d953660777c2423f2428baad0ba10186b2b101a7257df44e229a072a60800508151bd80ef0691995a5a80322"
    "7006712be56665f72aae3bc3d6d467bddb4836c793b1a47640eab41481fac41246a2112b400e49a0e0221b6da866b4"
    "ab96b915efd4b435f2f40bbed79b3735a23966ce1a4f554a4ca8717221510f6fe328daf1e56107d2122ab4d6cf36ba"
    "930c5da2de8c0335a5bc33012b576e1f6357982d111475ed97bf51b406ff0fa3e103fa283f4c1545a42c7dce7c33a7"
    "eec7f21cba92f226b2276ea10781165c3e351f8675a4a69dab13b66efd917dca7ab5191820e4d80fb77301660b4f0f"
    "954a1397798415f1f5ad6ce0f3f6e1756664aba78b406661fcc3637d6153071ceec3139583330f2e59a0c7272d6601"
    "a1b163274b4a243d26e2863d1464b2c8d39bb39330785da2399d4fe4f2997327e24cf24ad0b7179d263b9af9b15ab9"
    "cc7b85bc70ab76e17bfceda1fb9b8458df74542019ddfc821f100f558429f998f03b8b0778f23f312459418a6a5314"
    "27c4dec0234fd5babe392ea54421c9fc9370950a8723d5b0b933ccc62a98d70aeb0b87930e44bc57c7b6a512a6f3fd"
    "a187387d949708a52664aba12194dc31b1ef9423b2fba73c201be756fa602e0ba2fb86b0771bcac4052d3d654f6723"
    "39f62157ea8250f433b8fc1dac17b4ffc10a0c0373bf5b05adb9996e1dde5aaca0233d1f70d7935b583a9daf4a3162"
    "9a258d88f14492120255b3bfe8a0cc23777abdfd75c1f8036ae3223fcc32139307e486924e0692ee11668f37cf616b"
    "333e2ab52ff6f799178942ced79910cc082dbf03eb7c10c7626a12c2463c368d925466032c288fa26056bfd752dde7"
    "0f56682251050f5443bc7e9053e7604c76d3c4e008eb70082fca278e581e95901a12d52f201e7d020d187689fb8ac9"
    "2d416f3900fe43cabba53d88489a54f2a04941d489fd6ce865ea442ff60484402c6d7f10d3424ae98fd7b5b41f33eb"
    "7933017c6b1362f704a49881c01507eaea3d4c924b1fe061022b984b5faae929684d8d30dda8f2b363c7b37dea8cc9"
    "9437df75796f769a7ea03fefdd709706fa073029f2b1f1786bf51023bbb3899bcaeeb70a55129416578996f3193288"
    "98c8fb8647339a9850500b9bd6f249b6ec3298e7264908b3c0f077d8cf4690b836bc8962744c9d12ae178ff88bf5f9"
    "1259d0fc9aee4ad99b38e09147422e8909f26822f0ad807e42173399374658f8ac48b3655bd9a017899ad830b90c96"
    "95ee90e930405b103b61edccf122beb246aeb6368b828d43ec08dfbe213210a78ad9ed99c643e0fb207a2581624b4d"
    "1a24a5c9f11516c82022f85f239ae55cd1053b2297f218075b337598e7e0c08318de29dfb555c43f0619d0e32f36d6"
    "7a9be0be2563eaa06927be7562e516de405f850aae2dac9162fba93bf9834d655811e3d295d9356250293fb816b6b0"
    "9df0bfb0d4d1413d2f4e5ea346de3ea3a14f9ba1a7f27364c02ad36b1b4fa9fae502c467c2f7743371a71f8452d735"
    "1cd3b110eef24a2bad76b3d23df33a9a224f3c2fe1b641831754856ae03b2ca4c5b8987dd0b26968a8969df27e4e2e"
    "b56726878cec89d21b01e74ba000b46f303aec75cc297aca822fe31be37f40295e109d363c3d2a7b95a2c284dfb571"
    "6b69fd3d0277946b6daaed50b69b73f4c719d6bf0aabb2746d9ae887d39f650e728eeb90e310f0e4a7bdebbcc58294"
    "96b4195f6bfeb53c06bcedd02757ffc1407ac66e24a5fd7e3af1b0efce4f9681a184b81bee2c790bbe31a96e23c6e3"
    "2a56b2b82b2eb8cbf7577614b9e36aade418bc523ec1e8fd20fb8dae1521497a803929f32176b7d9ee59e4e9eb2ace"
    "a03ddf97d0d4a36df16e4799d3eef33f2ee4a05fc6ca63a15f3a63159f8ca53a14935eb3fc7f5cdbb12fb0870b52f4"
    "3e472993f175b1e94138508673915fcc4864432751b5ffa408bd62f2fa3097acd420c0a63d3914ef209d9ea1613887"
    "3c92897fa88b172c4d36fd81f01d8393dd452ca0facb2908ab72298fc78b76f0ba9f57d5048676ac0607b985cd405b"
    "a0139572f408da3ae0da19522a813801ce99b02a39eca492a1fa9418d00bc9e2c00aae13823c96d8037500182990b6"
    "295297a284406354486ebc53e4731ba59056ab4c7468d32c150c9d08a59c040d79b607aefd1dfb21f4e509dadb0537"
    "87129b523da16aaf28b3a033747672647bf72b1091884ca87a3740aead7424153344982ca24c0388a79ac591871c24"
    "180f101c91250fac821294d43dd269c02153cd4a4d8b35471bc5f9c15eeb10830cd1e2b0b768ed0255d70713503063"
    "a3510d81380f37736524e7701c826221f3304a4a72f15f54e9df5523838ac40ece197b4f2d901cda49d4f8b0c8877e"
    "d3623354b6843aa634fcf2ede5e6f74f5e635e3c424286c44c73a554b04b514382a4caf1e9eeccdfb20f3ac36a070f"
    "6c084f01423e8f7bd219244090a35fbe0af00c3041456630b80e46cae75a5ab555c323509da72251483ac130c41379"
    "3cf5313dd87eb14f4ba0ed57d23c04b292fbf93c7073a79a0ce9722b63dead75ef0effca51026d0aa24303ae6d2551"
    "3bd54d7ff0b3c222f5928454bb475e5b2f8222a306a131e4987f9b7f8973fa31585ad9c82c1949201ecae710e3eebb"
    "4410e3043715f7c72a47f6baa058a24be5242e3c4f4a931b297ccba9ab1b0df8c198e8d691bdfc60e43572afed199e"
    "a19061f238b3a83089c20b801451c3b3e3d3d20191d2c9d95ba19f4c5b05db9d91508b100c217c3027496f51848242"
    "91fdb5c4f7c0e54ed394ae96408e0c7b7898e08eb1d3e14f6719a77a20bc57873a512b3af8e4b2158f6f4a3d328f13"
    "862037679d431e6da37d3dc0511910eb1605ffd55063fd360f482a2eda82ccf393046268afc5425654430f90a8d511"
    "a14f6cdd50f87528226a7b57d3f2208a2a8bdd969c6d6f4a73dee6f77a090973e1fd60993b6a6cbe8a0af6cc022e8c"
    "82c9a6b7cb5efe81295878b8150b35b409d343ff4c0c32de158031505f199d5cc84fbaad3081a91af5614f34c91bbc"
    "8103c36b0dadf6be3cc2f030f08cc07a1725b75c616854a61fffb2242a24c2163a9eda599229055253baedb2bbd86a"
    "a483c3415dd15a58b2eb3b2207f09483a06840019237fd428e1111867ded20a3789225496b15cac295a03ac076cd64"
    "fde634f2fddba0d6dcb70703ddf401ba6123d0bb1aba4e670ba1b2a8d67f6e30d49f428ab360999d683043ee13c7e1"
    "9f1183a89814803f93017768ea9dcf3986c851e2944f01910a4065c6ebe215502c340b72d2ce07b19857c6c8582604"
    "891bb32e2e7bdd280210cf2882d020579d7ef54fc81bc3cb4936e19939aef3a2239eb108bb49542d40ee439d92891f"
    "be86ba2bf671a11d71e41ee9dde1c03062b114c2fcec83dbd582535262da9ad454050622f1e79083ac7ea4e005e0a5"
    "df311d2a0f6590b8b1feb01e29142e75826811367d0d18c9030aaa9ff3d1d8a3ce9573c3964c90bee3d675a4e2c3cc"
    "43735bc6512a54302b6af1c26a8b69c250d07d2ddd52d425f4f6969287f912d03ff4c83d290accbb81933a9577e6dc"
    "5f719e51d148ba2c80b2d2127fe621158f18ee2d0e12dff3c224f533b0ee3e942587a3594efc2fcdaf9166ea8256fa"
    "2fda33e7d5e46d93ce18b44a23369647c743dc0a787d42cd1fda9913f61431ce9f94072fb1f3c4495b926faaac5112"
    "60aabb4da57272025cf8c3d47ac57f28719d3c99a17fa3ee31ed6a850da45068d22c470f369bbf5873dbc8c1061c0f"
    "960089b33b858533c34ae22c2e80b031c19feec136c33702b63dd7e6b64b8a085f63624eda6b746df5c1f1b26d0f73"
    "bc863a9f9b11e3d05fad03d6644b777322ad2fc0738c7feda75c0297c793dd21e307d30a00a4bd60067f38ec5fca13"
    "c085713aaed61192d50269b5fc43aa53eea18b11a3fa08f763147dfed8f06491688199f71a561ae2ed50dd0d308564"
    "c52281db31525ba2412554c431bc68e59c42612a536f5136c634dc40c5820bfc50ef21a0f9ae185e5501a20aa61495"
    "73492c2c47a258a1d74ae576eab9b95044c599b31c40f3c1274394ad91f5c5336b8170736163bb454dec752dbbf173"
    "dc19da93741a7aca13dae1f6ebf58e3b49df935d0145f057f8e03976e2065d7596a6b9d7adbdc1a8aa47a666dbe01b"
    "0393fcf7a1dda9f700e93b91aee4bd8aaba27efc95105c4b201241edfd1c1383ae3f35f15871d39124e33818b80b0f"
    "28c7658e3253e06fb27b33b0ccfc916aff3d1cf99b4f194eb15168eb7f24f6af945da0da26d327a14947bf5762e4e7"
    "9e9b762f198bddb04e56246efbe527fbe01045410c0b0869df7065a07acdbf39720bd4983f834b74c6b1effc643d32"
    "e0ae12af0235b71f64cf80b3f2cdae7401684c8e40d3dd0f7088be31bd37e3fc45d4beecd842e132d066f8dc2ca3a0"
    "87f47690d07eb232fc07d5d503318bfb1815918064d0b931800549a22b45726b8cb153f08f03165688caf491e5d0b9"
    "d20d3a9a1c4220dd59212511772470c792a7b02526057c5ec2a722e494efa06310fffd18c33fd8722b7a09356fb881"
    "f16016818f2a345de8a328d400c424754a904872bdbe19175400faf5f760ab203487813bf7635ee267afd7c851183c"
    "59a4206cd6a4254f970c5c1c530b954219e82a65baa271bce3a501eeebbb6adc628667eba3264dac57c6411edcff05"
    "53c851f13e32f8c4e3d80e96751b19917c0fb22f00871a537b83174a9cca188008094b408daf1640f54ecd5509405e"
    "9b57f76b084680e833a1712877070ed568824355dd551af2ec8c947bf1c2b6e0b45764bb5e8c437eace242da05f10e"
    "99d0f17f44ce93132a63047142bd7dd6961866783c02813b5bb73dbf34f0fbd1d7e6f151373d6583b0e32a2841837c"
    "c92a992ae1decdc39b0dc0dcd63dd2e12b096f5736818cee8069b59f0b689a79c9af92337009a737e8198109327208"
    "072946c79592d570780a2c5ebcad1ce6579294939f6893c84290c7507ce80ecbc0ec6ca3c9f220c74285cb2d782a34"
    "2394913bb8fcc8eac9198078243a8ff7744db0e8d26d6a855566eac8c398a26847bdd1ce31f903cc73a3fe04cca2b0"
    "80bef693016d501436be66ea15b2aae996c4418f6ad905a3603ffdab95174ca7f4132f16c6732dd5ce43bd01368f03"
    "20d844acec37b3d7be0906c4a1c5431ff201345a641e34d9891520981a49bf089160ac5cf0612df8f886c77f460771"
    "f9d0322cf5e56f7c5f11fcfff00f8c226c51fec1e4c78e49077ce96b0172e62c60c5a4e214b3add06b756b3e847b7a"
    "2f1571b618d6c6bb7d57cbd393d301a5c7814e59e0221320680087c9d4420cb823c98110b531dae04c03b2b6901aff"
    "bea0f498eab18e49e9d8e2b2e321be42027eefe99add1faaa911a217b7c5fe0437e941f170256085dced838ae5e21b"
    "ffaa7ff080fa828dc2bd61e837211c5bb20a13a54860b1b2abcda183c26450c0e1e1bba655a6618f32f0569c985d33"
    "cfe2bed9997445a6d243b1d0ee4c7b2a1487d1d544e08069190c11d3d7e544f001a0d8d18817ae1cba82c1476521fa"
    "4db15e44a037b8384e734b51a5bdb37885482523b18d5bb2f15d3a5d73d2567d598253b0dc646640a643ac1d225a90"
    "360ed528bfcb6b62c8460ee58a82766146a2ce0eecac7645dd18e6834357ac6aeb5e1b2299d0a67e220958180b08dd"
    "22af8ea172ffb49704e112e8863eb23bc273ce31125d38adb5933ddd461ae1668b7fe6fbdc2d38a250590d849a70f5"
    "2ef7def12ac4e23f94a2df7b1ab3ae4d4d8d20ad369ce9a03c47d046af43f5d65bd2c95e84ebea4348c8fd33022900"
    "729d58859861e0e7175651490772384f41c2508b9a7c32de87997046a9068a31988ced7312ec50477d3dbe5055bbc2"
    "b09d95725d3b9eaf5730c9c5af947f416590d4014428fe05529adb0238e3fe5e7dd7c2104f20cd92cacfa6dbe856df"
    "dab81131a1bd70d2ff9639edb042c303af0fbd79fc28a096a1a5dbc168164dd2518f62e13fe6fffa772f30f75b4020"
    "a5215078dc32d8150912b0dfce2d84b3beeb09f1b8514447c422d669958d4493c124a411fe5c9c9d7776f7f450f0c8"
    "3d3599f6fa92f20050a2941404da5203eba751db9041411f20404eb393ec2300c4fb15136f2d011a3f0a2134453714"
    "bfa2566c8da51464ae5ad960e99fa908005094459df085794e78b58b18f71123b774ecc5ec9b1e18c5812e26043aec"
    "0522ee2a228a26fa08c2e7ac2f3822959950f790297f71aa41c5671f7153c4f02d3dd2415670b0baf34b6adcb0b028"
    "41fe1dc77e03d9c0979e907b5d02d1b07721c9ffb073e0c724d361f3fc8fa5aab24797e8dcc02e22fc46763d431c46"
    "f1ff246ea3ac6d12cdc412024ce32599fd3942659218ce3737c2a8286d0d626e332b80fe2bd5e4d680f364a2137d53"
    "3a663e531db4691c2fa5e2395970809c4e039730698c7520ebf1b6e65af505627df3a2ef58a5ed0db16932030d863d"
    "bcac6a66029f8086267902fb7fb052416362736a9baa498f0e8eb003f09d20a30ee7db4c52e04668dbcd4d0369dab3"
    "7cd397432b72dffc59e1837d703da0784a4190e07a4163824fee7b7f60a0c885f015dcc47d2448a33b4bfa1f247573"
    "fb4582a24cfe395636be7871b1caa60ed0301816d3f1e1d4723fd1ba9b88142b8386cbd39634fc96e908e07a3086f1"
    "81375a73e211bc935da7cc44325a2e617b423ee87263a73089b0b4ed4d3dafb998c32d52c7805f902717dd74bd4203"
    "b9541d452636f5ba03d1a18eaef0b44741fda0bf4e75bb4bdfcdb422919c1ddfe6471d945cd83374e4f1d48055b060"
    "15a30eb5a6179cc6da81f4d0e5f29ceeab6629c9a883d2cc26bc45fe587bb0a3a2e2dd513190b33e30a31cde760a35"
    "d1f847ef308aa4305f9af3d6366b220a1cdba029611dc24d83115acd656e2fd00162e10196c49e7d73134d78e12f18"
    "5831b6375eb5e88008ee1d30a54fd32f0f1053a6a68dc7d7a3c0eef29f77406dbcb1cc25b8c06b0814fb67fc4f8060"
    "4112bc0f6270e1783bed327685ddba5aeb07d67e13091e5cd36e159687401147c2d4762fdfb86450e3c9a1eb0ba6e1"
    "a17489c105b7eab09b6cf0eef8e2f6a019f66484db5e558296c143d8b1f60dc7dee213a89190a430882e1de387c97a"
    "afb52aec6a6ad34c8c3184599638b63362d781b68b857b86db2a431cfef128332b0305e33202e627736f556fb87373"
    "5551925ddc6b11dce032f2d5b9aa83eb4b0edef1f55629c7e51f5f16a4b28452d5f89b3cfd2cd970f7878f1f5af19e"
    "7483304f3c63ab18721d7c0ac38b75f2e8ed6a1b2b5cd1b474eb4ff8d43291a611569589129dddd687106332eb7fdb"
    "dcbfa87683603d2de828b42e2f6c76505d8635c679052b9d81232691ec62199c8f82ab90bb4eaaa360a7f0e10d2336"
    "232a0ae6a0f579a4b074b23b7210eee144d5f1d4b11b5534572b225aa1baaa442456611da9dbe2efd241d2bb489eba"
    "aa7229b51bd81b7fff9318a195fa279fe3272dd768f146c2f71dcdd7f7193fe39c97fbc656478f7ed6c1cf9703f074"
    "136b03acf24bef7b890b9f5da25010638356484b98138791925f917ae19643394283d2e96ea6cb447a7b8b02c0f14a"
    "3ec62117ce7ac031bb66b17c5f73f079f632e138b890f46f6089acb31cbde28e132fa5fc0930c94e3aad5c0b7d914e"
    "c0c2c3e793b587c578da5040a6cefe7aad8f2dfab20686cf640033dd6a854254e53b8bc2b290e4dee195c21b5c920a"
    "b68f8c7219ac3805302658287991d27335e521a00462c933fa8756ffde940e68bad3a40fd26ce245c5f44b2339140c"
    "3c5797cad85d9105528e2288370a0949f2874648b7760cc2c6a37091ddec494c3e27adb6f2195dda9e22746924f182"
    "5b3b5f3a606179720cc07e92b95d36c133c65543dd9ab41fc0f6d9a00f71d1d5086ef37dbdfa0c500795dd1edf54a6"
    "65a902b3284d117d735909794119c6bc6d06458d2ce6b1aca64f1a125e4469ada0b30081b9ffaf8e2b0353528fec20"
    "b14c9993c381a532cb74065ed71e41d0b2fb861949c1cab8fda321a8f34fde92373a9811be745af3d6e5cbb6bdd015"
    "8592b62c16731e0fc306912ec0a45fd3304193e2c67e9ae02213eb3c624009989f983a4c6d06e37a249932be66d792"
    "bce08fd98a7498bc3c28f3a08b5796cf95a23f3286e298b11be171bc5a8e04d078e85081ecb7784c5a300d37699e7e"
    "3cef4392b22fc2b4862613c23a0fc1e5f95f9ca4981f438163db691064f7f752c165714e1e01ce1bcd6ae5230246c6"
    "2d684c8aa5ffa500744bd400c5692c4b57d2f74de5a573cf56cb0f304190625c40c63100274177310dd0fa11e19538"
    "421de1e262c66ad13b6a8007342a42f1fb1c076912b103c3c5215fa7f1d991386d09cd4cc07030989029c5b9237b4a"
    "2f759e81c53498848dbe2e94bc01f51cb980f326394acab29d95e5264a50d6ce11931ac3964da73bf0d75be1a54ab1"
    "12aa78187a2b23270c4a10c9f54ea4c69304f306a7c199ba8813335fa88c88f9653e25b5f20711cdbffb0d8f2ed812"
    "f8c5addac1dd58304e4269f0add47088522ca6d1c8df4b78d208b1c88b323c4fa480114b35ca8ba3995d7d5a1c9fe5"
    "a63862a2a967abf160ebec5ae0b201bcf01013b54638720d4d7f906adb3fc752d3da40aa17e81c75dee292a77a9a86"
    "fa3e8018bca1f36c1bce04fd49c7aa23bbdb34fdc198c6bb18f0bd3df82a19ef3e061e31f91dc536226646307c11d6"
    "3b48b603b1768fc2b19b17391c06ddbf9cc3c0580271ed2931400b99d04de55c60877d67bedab3b71ea2274318d9c4"
    "f3623e0afd93b00d1e3f63d0fc9be1cdf58dc2f0efb1818a9acc77f002e5931300799ece34863390d9c0a9a31e5c3c"
    "c3c0572080373e918a44ba2ee1a311a66af8f7b48efa4245037b79ea0a820c4527f3b16a0aec5d7afb0cd1f69018d5"
    "5b490834e9b5253138ff00d722cbb6f59b62f752add36b0560d370610775c0ad2c8adfb00d43b6a735e77a81ed8c8b"
    "40dc1666b4f2aa40c7e2c000365a6fd44183538a63cfb533bfabcd222871d030244210119225c0f063857331c99b1a"
    "ec86b0400aa8c8561f99727998a0ddfee5dd30c713476440ee6f71bdbca7324313c0fb14fad4495c34af01e3691004"
    "f3230b119e2a62e9a896381be1241db1230b33ed99650cf7d8d701312355f0ca940f688b113ea8809a04ce7dbefe83"
    "78c051d0703a51ce43f0dd69b3d43f78cfe83df21be7687c2406167ba663099d67a9291bb00f35508260fe1072fb5d"
    "eafb32ed34caf68389b203f6926bcf44a96e8976359341294634caed0b818a43a360cf7a5492b4bdf668717eb11008"
    "55984548e6404b18da00d964f602e3b024ed807cdc27e4e1ec523a01594c9a15b55f2ba3e3783eeb9e53a912c581bd"
    "86b8a4ad9b650503334c885f910d5fe69d3881e78c2a64caed1d871a32d143719efde1d76b262105957d3928ce0dba"
    "6100f17c34f6808a2a2a239083fc2201773cfbca9473c9870ebdc27c0d00ac71a00e64990df131b6ca914ec32436f9"
    "4d729442b090110b9b26a992a6be7251504501caed2dbcd602b4e36fc9d1e6f44ef9a1eb45d013887b4b8a82b02fee"
    "2435148dd8b73701c8d4d1765820c7203762fae2d4296ce446cb8260c10e992eb6ce5a77cfc276a8cc490a2586f8af"
    "039224563802ec323284a021b00f7338633404eea349bd70fc31e196a846026160e356bc6a7508e2819f16668038f2"
    "e738d0e0821310e32eabe5cef8d2a9f7d8e5603550b8db9232a3fca363a248df1482523b60e043c06acaaff101d33f"
    "936294374bcd3342a153ccb11ef76bf063b40ded100d52fa01b2109e309fb81405559f0553da2ca4457c4a8c54e031"
    "7f11d126eee0baabb900f802c886e88d091cedf26f1961f0c91cd3902bd0f224e98d18fe34e3956218b9218d5dabdd"
    "ba7581d11f9a31b6c491a7dbf07eb04da9dcc239d17e6235e48b190acc8fb8a2a1558243a0ffaa42d6f3f";

std::uint32_t degree_of(std::uint32_t polynomial) {
  return static_cast<std::uint32_t>(std::bit_width(polynomial)) - 1;
}

// x generates all 2^degree - 1 units, modulo the polynomial over two elements.
bool is_primitive(std::uint32_t polynomial) {
  const std::uint32_t degree = degree_of(polynomial), order = (1U << degree) - 1;
  std::uint32_t power = 1;
  for (std::uint32_t i = 1; i <= order; ++i) {
    power <<= 1;
    if ((power >> degree) & 1U) power ^= polynomial;
    if (power == 1) return i == order;
  }
  return false;
}

std::uint32_t value_of_digit(char digit) {
  return static_cast<std::uint32_t>(digit <= '9' ? digit - '0' : digit - 'a' + 10);
}

}  // namespace

std::vector<SobolNumbers> sobol_numbers(std::int64_t dims) {
  LOGPX_ASSERT(dims >= 1 && dims <= 1024);
  std::vector<SobolNumbers> numbers{{1, std::vector<std::uint32_t>(32, 1)}};
  std::string_view rest = packed_numbers;
  for (std::uint32_t polynomial = 3; numbers.size() < at(dims); polynomial += 2) {
    if (polynomial > 3 && !is_primitive(polynomial)) continue;
    const std::uint32_t degree = degree_of(polynomial), bits = degree * (degree - 1) / 2;
    const std::size_t length = (bits + 3) / 4;
    std::size_t place = 4 * length - bits;
    SobolNumbers item{polynomial, {}};
    for (std::uint32_t i = 0; i < degree; ++i) {
      std::uint32_t m = 0;
      for (std::uint32_t bit = 0; bit < i; ++bit, ++place)
        m = 2 * m + ((value_of_digit(rest[place / 4]) >> (3 - place % 4)) & 1U);
      item.first.push_back(2 * m + 1);
    }
    rest.remove_prefix(length);
    numbers.push_back(std::move(item));
  }
  return numbers;
}

namespace {

constexpr std::size_t sobol_bits = 32;

// Substreams of Stream::qmc: one for the seeds, then two for each dimension.
std::uint32_t permutation_sub(std::size_t dim) { return static_cast<std::uint32_t>(1 + 2 * dim); }
std::uint32_t digits_sub(std::size_t dim) { return static_cast<std::uint32_t>(2 + 2 * dim); }

std::uint32_t reversed(std::uint32_t x) {
  x = ((x & 0x55555555U) << 1) | ((x >> 1) & 0x55555555U);
  x = ((x & 0x33333333U) << 2) | ((x >> 2) & 0x33333333U);
  x = ((x & 0x0f0f0f0fU) << 4) | ((x >> 4) & 0x0f0f0f0fU);
  x = ((x & 0x00ff00ffU) << 8) | ((x >> 8) & 0x00ff00ffU);
  return (x << 16) | (x >> 16);
}

// A digit is flipped or not by a hash of those before it: upwards through reversed bits, since in
// sums and even products a bit depends on lower ones alone. [Laine and Karras 2011, constants of
// Burley]
std::uint32_t scrambled(std::uint32_t x, std::uint32_t seed) {
  x = reversed(x) + seed;
  x ^= x * 0x6c50b47cU;
  x ^= x * 0xb82f1e52U;
  x ^= x * 0xc7afe638U;
  x ^= x * 0x8d22f6e6U;
  return reversed(x);
}

// v_i = m_i 2^(31 - i), and the recurrence of a primitive polynomial for those past its degree.
void set_directions(const SobolNumbers& numbers, std::span<std::uint32_t> v) {
  const std::size_t degree = numbers.first.size();
  for (std::size_t i = 0; i < sobol_bits; ++i) {
    if (i < degree) {
      v[i] = numbers.first[i] << (31 - i);
      continue;
    }
    v[i] = v[i - degree] ^ (v[i - degree] >> degree);
    for (std::size_t k = 1; k < degree; ++k)
      if ((numbers.polynomial >> (degree - k)) & 1U) v[i] ^= v[i - k];
  }
}

}  // namespace

double uniform53_at(const Substream& words, std::uint64_t place) {
  const Words4 block = words.block(place / 2);
  return place % 2 == 0 ? uniform53_of(block[0], block[1]) : uniform53_of(block[2], block[3]);
}

Sobol::Sobol(std::int64_t dims, Rng rng) : dims_(dims), rng_(rng) {
  LOGPX_ASSERT(dims >= 1 && dims <= most_sobol_dims);
  const std::vector<SobolNumbers> numbers = sobol_numbers(dims);
  directions_.resize(at(dims) * sobol_bits);
  const Substream words = rng.stream(Stream::qmc, 0);
  for (std::size_t d = 0; d < at(dims); ++d) {
    set_directions(numbers[d], std::span(directions_).subspan(d * sobol_bits, sobol_bits));
    seeds_.push_back(words.word(d));
  }
}

std::uint32_t Sobol::digits(std::uint32_t index, std::int64_t dim) const {
  std::uint32_t x = 0;
  const std::uint32_t* const v = directions_.data() + at(dim) * sobol_bits;
  for (std::uint32_t gray = index ^ (index >> 1); gray != 0; gray &= gray - 1)
    x ^= v[std::countr_zero(gray)];
  return x;
}

void Sobol::point(std::uint32_t index, std::span<double> u) const {
  LOGPX_ASSERT(u.size() == at(dims_));
  for (std::size_t d = 0; d < u.size(); ++d) {
    const std::uint32_t high = scrambled(digits(index, static_cast<std::int64_t>(d)), seeds_[d]);
    u[d] = uniform53_of(high, rng_.stream(Stream::qmc, digits_sub(d)).word(index));
  }
}

LatinHypercube::LatinHypercube(std::uint32_t points, std::int64_t dims, Rng rng)
    : points_(points), dims_(dims), rng_(rng) {
  LOGPX_ASSERT(points >= 1 && dims >= 1);
  intervals_.reserve(std::size_t{points} * at(dims));
  for (std::size_t d = 0; d < at(dims); ++d) {
    const std::vector<std::uint32_t> order =
        permutation(points, rng.stream(Stream::qmc, permutation_sub(d)));
    intervals_.insert(intervals_.end(), order.begin(), order.end());
  }
}

void LatinHypercube::point(std::uint32_t index, std::span<double> u) const {
  LOGPX_ASSERT(index < points_ && u.size() == at(dims_));
  for (std::size_t d = 0; d < u.size(); ++d) {
    const double within = uniform53_at(rng_.stream(Stream::qmc, digits_sub(d)), index);
    u[d] = (intervals_[d * points_ + index] + within) / points_;
  }
}

}  // namespace logpx
