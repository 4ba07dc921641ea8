/**
 * The passwords that breaches contain most often, of eight characters and more: shorter ones are refused by their
 * length. Compared without regard to case, since attackers try those spellings first too.
 */
const list = `
12345678 123456789 1234567890 12345678910 0123456789 01234567 87654321 987654321 9876543210 123123123 1234512345
11111111 111111111 1111111111 00000000 000000000 0000000000 22222222 33333333 44444444 55555555 66666666 77777777
88888888 888888888 99999999 999999999 12121212 123321123 112233445566 11223344 1122334455 123454321 12344321 11112222
12341234 123123123a 1234qwer qwer1234 qwer12345 1q2w3e4r 1q2w3e4r5t 1q2w3e4r5t6y 1qaz2wsx 1qaz2wsx3edc zaq12wsx zaq1zaq1
qazwsx123 qazwsxedc qwertyui qwertyuiop qwerty12 qwerty123 qwerty1234 qwerty12345 qwerty123456 qwertyu1 asdfghjk asdfghjkl
asdfasdf asdf1234 asdfghjkl123 zxcvbnm1 zxcvbnm123 zxcvbnma zxcvzxcv qweasdzxc qweqweqwe qwe123qwe qweasd123 q1w2e3r4
q1w2e3r4t5 q1w2e3r4t5y6 a1b2c3d4 a1s2d3f4 1a2b3c4d a12345678 a123456789 a1234567 aa123456 aa12345678 aaaaaaaa abc12345
abc123456 abcd1234 abcd12345 abcdefgh abcdefghi abcdefg1 abcdefg123 abcabcabc 123abc456 123456789a 123456789q 12345678a
12345678q 1234567a 123456ab 123456abc 123456aa 123456qwerty 12345qwert qwert12345 1234abcd 12345abc 123qweasd 123qweasdzxc
123qwe123 1password password password1 password2 password3 password12 password123 password1234 password12345 password01
password11 password99 passw0rd passw0rd1 p@ssw0rd p@ssw0rd1 p@ssword pa55word pa55w0rd passpass passwort passwort1 password!
password1! mypassword thepassword newpassword secret123 secret12 topsecret letmein1 letmein12 letmein123 letmeinn welcome1
welcome12 welcome123 welcome2 welcome01 iloveyou iloveyou1 iloveyou2 iloveyou12 iloveyou123 iloveyou! iloveme1 iloveu12
ilovegod iloveyou3 loveyou1 loveyou2 lovelove loverboy loveyou12 lovely12 fuckyou1 fuckyou2 fuckyou12 fuckoff1 fuckfuck
sunshine sunshine1 sunshine2 sunshine12 princess princess1 princess2 princess12 princess123 football football1 football12
football2 baseball baseball1 baseball2 basketball basketball1 softball soccer12 soccer123 hockey12 superman superman1
superman2 batman12 batman123 spiderman spiderman1 ironman1 pokemon1 pokemon12 pokemon123 charlie1 charlie2 charlie123
michael1 michael2 michael12 jennifer jennifer1 jessica1 jessica2 jessica12 jonathan jordan23 jordan123 michelle michelle1
stephanie elizabeth elizabeth1 victoria victoria1 veronica samantha samantha1 alexander alexander1 alexandra alexandra1
anthony1 anthony12 benjamin christian christian1 christina christopher daniel12 daniel123 danielle danielle1 dominic1
gabriela gabriel1 isabella isabella1 jackson1 jasmine1 joshua12 joshua123 justin12 justin123 katherine kimberly kimberly1
madison1 matthew1 matthew2 melissa1 nicholas nicholas1 nicole12 nicole123 patricia patrick1 rebecca1 richard1 robert12
sebastian stephen1 thomas12 vanessa1 vanessa12 william1 william2 zachary1 valentina valentin francesco francesca giuseppe
alejandro alejandra fernando mariposa estrella tequiero teamomucho teamo123 chocolate chocolate1 butterfly butterfly1
beautiful beautiful1 angelica angel123 angels12 babygirl babygirl1 babygirl12 babyboy1 brittany brittany1 brandon1 brandon12
cheyenne chelsea1 cowboys1 dragon12 dragon123 dragonball dragonball1 diamond1 dolphin1 elephant emmanuel everlast fernandez
ferrari1 flowers1 forever1 forever21 freedom1 freedom2 friends1 friends4 friendster garfield godisgood godislove goldfish
grandma1 greenday greenday1 hahahaha handsome happy123 happy1234 hello123 hello1234 hello12345 hellokitty hellohello
heyhey123 hotmail1 hotmail123 hunter12 hunter123 internet jesus123 jesus777 jesuschrist jesusislord johncena junior12
killer12 killer123 kitty123 liverpool liverpool1 lollipop lollipop1 manchester manutd123 marlboro maverick mercedes
metallica midnight monkey12 monkey123 monkeys1 mustang1 naruto12 naruto123 number12 orange12 pakistan panthers peanut12
pepper12 pineapple pirates1 playboy1 playstation pussycat rainbow1 rainbow12 rangers1 raiders1 remember rockstar rockstar1
rockyou1 scooter1 scorpion seahawks september shadow12 shadow123 shannon1 simpsons skittles slipknot slipknot1 smokey12
snickers snowball snowboard special1 spongebob spongebob1 starwars starwars1 steelers steelers1 strawberry sunflower
sunflower1 superstar superstar1 swordfish sweet123 sweetheart sweetie1 sweetpea target123 taylor12 thunder1 tiger123
tigger12 tinkerbell tinkerbell1 trustno1 twilight twilight1 undertaker united12 valentine vampire1 vikings1 volleyball
whatever whatever1 whatever12 winston1 winter12 wrestling yankees1 yellow12 zxcvbnm12 zxcvbnm1234 zzzzzzzz blink182 blahblah
bismillah alhamdulillah indonesia jakarta1 india123 pakistan1 pakistan123 philippines portugal barcelona barcelona1
realmadrid juventus arsenal1 chelsea12 computer computer1 computer12 corvette december november february january1 monday12
summer12 summer123 summer01 summer99 winter123 spring12 autumn12 access14 admin123 admin1234 admin12345 admin123456
administrator root1234 rootroot test1234 test12345 testtest testing1 testing123 tester12 guest123 user1234 username
default1 changeme changeme1 changeme123 temp1234 temporary login123 master12 master123 master1234 server123 oracle123
samsung1 samsung123 google123 facebook facebook1 linkedin myspace1 twitter1 youtube1 yahoo123 windows1 windows123 apple123
internet1 network1 security security1 qwerty1! azerty123 azertyui azertyuiop motdepasse motdepasse1 soleil123 doudou123
hallo123 hallo1234 schalke04 passwort123 contrasena contraseña holahola hola1234 asdasdasd asd123asd asdasd123 woaini1314
woaini520 5201314520 52013145 wang1234 zhang123 aini1314 123456789abc 147258369 14725836 159753456 159357159 741852963
74108520 789456123 7894561230 963852741 987456321 1357924680 13579246 24681012 31415926 314159265 19841984 19871987
19851985 19891989 19901990 20002000 20102010 qqqqqqqq qqqq1111 q123456789 w123456789 z123456789 zxc123456 zxc12345 xxxxxxxx
x1234567 asd123456 asd12345 qwe123456 qwe12345 qaz123456 qazqazqaz wsxwsxwsx lol12345 lolololo nirvana1 notebook nothing1
nintendo nascar24 music123 mylove12 mother12 mommy123 monster1 monster12 money123 minecraft minecraft1 minecraft123 maggie12
mickey12 mississippi missyou1 marines1 martin12 marina12 madonna1 lucky123 lucky777 london12 london123 lakers24 lebron23
kobe2424 killer99 jackass1 iverson3 icecream icecream1 hannah12 hammer12 guitar12 gundam00 ginger12 gateway1 fuckyou!
fuckthis fishing1 falcons1 eminem12 einstein drummer1 dreamer1 dolphins dietcoke dickhead destiny1 darkness dancer12
cookie12 cookies1 colorado college1 cocacola cocacola1 clarinet chicken1 chicken12 cherry12 champion carolina cameron1
california california1 buster12 bullshit bubbles1 brooklyn broncos1 bradley1 boomer12 bonjour1 blessed1 biteme12 bestfriend
beckham7 basket12 bailey12 awesome1 awesome12 austin12 asshole1 asshole12 arizona1 america1 amanda12 airborne adidas12
abigail1 access123 abc123abc 1234567890a 0987654321 09876543 0987654321a 1029384756 102030405060 10203040 101010101010
10101010 123698745 12369874 147852369 1478523690 159159159 1598753 258456258 321321321 3213213210 456456456 456789123
567890123 654321654 789789789 7777777777 9999999999 pass1234 pass12345 pass123456 password0 passion1 password7 password8
`

const common = new Set(list.split(/\s+/).filter(Boolean))

export const isCommonPassword = (password: string): boolean => common.has(password.toLowerCase())
