#!/bin/sh
# Makes the fixtures of this folder. Needs python3 with Pillow and ImageMagick 6 and libjpeg-turbo-progs.
set -eu
cd "$(dirname "$0")"
python3 - <<'PY'
from PIL import Image, ImageDraw
w, h = 52, 37
image = Image.new('RGB', (w, h))
image.putdata([((x * 5) % 256, (y * 7) % 256, (x * y) % 256) for y in range(h) for x in range(w)])
draw = ImageDraw.Draw(image)
draw.ellipse((8, 6, 40, 30), fill=(230, 60, 30))
draw.line((0, 36, 51, 0), fill=(20, 40, 220), width=3)
image.save('/tmp/fixture.ppm')
image.convert('L').save('/tmp/fixture.pgm')
cmyk = image.convert('CMYK')
cmyk.putdata([(c, m, y, (x % 52) * 2) for x, (c, m, y, k) in enumerate(cmyk.getdata())])
cmyk.save('cmyk-adobe.jpg', quality=90)
open('cmyk-adobe.cmyk', 'wb').write(Image.open('cmyk-adobe.jpg').tobytes())
PY
convert-im6.q16 cmyk-adobe.jpg -quality 90 ycck.jpg
python3 -c "from PIL import Image; open('ycck.cmyk', 'wb').write(Image.open('ycck.jpg').tobytes())"
make() { name=$1; source=$2; shift 2; cjpeg -quality 90 "$@" -outfile "$name.jpg" "$source"; djpeg -rgb -pnm "$name.jpg" | tail -c $((52 * 37 * 3)) > "$name.rgb"; }
make grey /tmp/fixture.pgm -grayscale
make 444 /tmp/fixture.ppm -sample 1x1
make 422 /tmp/fixture.ppm -sample 2x1
make 420 /tmp/fixture.ppm -sample 2x2
make 440 /tmp/fixture.ppm -sample 1x2
make 411 /tmp/fixture.ppm -sample 4x1
make progressive /tmp/fixture.ppm -progressive
make restart /tmp/fixture.ppm -restart 1
make rgb /tmp/fixture.ppm -rgb
make optimised /tmp/fixture.ppm -optimize
make arithmetic /tmp/fixture.ppm -arithmetic
